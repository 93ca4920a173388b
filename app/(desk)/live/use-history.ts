"use client";

import { useQuery } from "@tanstack/react-query";
import { poll } from "@/app/(desk)/live/poll";
import { useClockMode } from "@/components/ui/db-clock";
import type { History } from "@/lib/domain/history";
import type { Reading } from "@/lib/domain/queue";

const EVERY_MS = 5_000;

async function fetchHistory(signal: AbortSignal): Promise<Reading<History>> {
  const [{ HistoryReading }, body] = await Promise.all([import("@/lib/domain/history"), poll("/api/history", signal)]);
  return HistoryReading.parse(body);
}

/** The last half hour, as often as the keeper adds to it. */
export function useHistory(initial: Reading<History>): Reading<History> {
  const paused = useClockMode() === "paused";
  return useQuery({
    queryKey: ["history"],
    queryFn: ({ signal }) => fetchHistory(signal),
    initialData: initial,
    staleTime: EVERY_MS,
    refetchInterval: paused ? false : EVERY_MS,
    retry: false,
    networkMode: "always",
  }).data;
}

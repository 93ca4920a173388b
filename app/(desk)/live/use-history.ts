"use client";

import { useQuery } from "@tanstack/react-query";
import { PollError, poll } from "@/app/(desk)/live/poll";
import { useClockMode } from "@/components/ui/db-clock";
import type { History } from "@/lib/domain/history";
import type { Reading } from "@/lib/domain/queue";

const EVERY_MS = 5_000;

async function fetchHistory(signal: AbortSignal): Promise<History> {
  const [{ HistoryReading }, body] = await Promise.all([import("@/lib/domain/history"), poll("/api/history", signal)]);
  const reading = HistoryReading.parse(body);
  if (reading.kind === "read") return reading.value;
  throw new PollError(reading.sentence);
}

/**
 * The last half hour, as often as the keeper adds to it. What could not be read leaves the last good history in its
 * place and is named beside it.
 */
export function useHistory(initial: Reading<History>): { history: History | null; problem: string | null } {
  const paused = useClockMode() === "paused";
  const { data, error } = useQuery({
    queryKey: ["history"],
    queryFn: ({ signal }) => fetchHistory(signal),
    initialData: initial.kind === "read" ? initial.value : undefined,
    staleTime: EVERY_MS,
    refetchInterval: paused ? false : EVERY_MS,
    retry: false,
    networkMode: "always",
  });
  const unread = data === undefined && initial.kind !== "read" ? initial.sentence : null;
  return { history: data ?? null, problem: error?.message ?? unread };
}

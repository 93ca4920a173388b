"use client";

import { type QueryFunctionContext, useQuery } from "@tanstack/react-query";
import { PollError } from "@/app/(desk)/live/poll";
import { pollChecked } from "@/app/(desk)/live/poll-checked";
import { useClockMode } from "@/components/ui/db-clock";
import type { History } from "@/lib/domain/history";
import type { Reading } from "@/lib/domain/queue";

const EVERY_MS = 5_000;

async function fetchHistory(asked: QueryFunctionContext): Promise<History> {
  const reading = await pollChecked("/api/history", asked, async () => (await import("./schemas")).HistoryReading);
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
    queryFn: fetchHistory,
    initialData: initial.kind === "read" ? initial.value : undefined,
    staleTime: EVERY_MS,
    refetchInterval: paused ? false : EVERY_MS,
    refetchOnWindowFocus: !paused,
    retry: false,
    networkMode: "always",
  });
  const unread = data === undefined && initial.kind !== "read" ? initial.sentence : null;
  return { history: data ?? null, problem: error?.message ?? unread };
}

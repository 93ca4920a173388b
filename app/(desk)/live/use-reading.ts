"use client";

import { useQuery } from "@tanstack/react-query";
import { PollError } from "@/app/(desk)/live/poll";
import { pollChecked } from "@/app/(desk)/live/poll-checked";
import { useClockMode } from "@/components/ui/db-clock";
import type { Reading } from "@/lib/domain/queue";

type Polled<T> = {
  /** The route of the desk that gives it, which also names it in the cache. */
  path: string;
  everyMs: number;
  /** What the page was written from. */
  initial: Reading<T>;
  /** The schema of an answer, loaded when one must be checked. */
  schema(): Promise<{ parse(value: unknown): Reading<T> | null }>;
  /** What an answer of `null` means. */
  absent?: string;
};

/**
 * One reading, polled every `everyMs` while the tab is seen and the reader does not hold the page still. What could
 * not be read leaves the last good value in its place and is named beside it; a poll that fails is not tried again
 * before the next. `value` is null until there has been a good one.
 */
export function useReading<T>({ path, everyMs, initial, schema, absent = "" }: Polled<T>): {
  value: T | null;
  problem: string | null;
} {
  const paused = useClockMode() === "paused";
  const { data, error } = useQuery({
    queryKey: ["reading", path],
    queryFn: async (asked): Promise<T> => {
      const reading = await pollChecked(path, asked, schema);
      if (reading?.kind === "read") return reading.value;
      throw new PollError(reading?.sentence ?? absent);
    },
    initialData: initial.kind === "read" ? initial.value : undefined,
    staleTime: everyMs,
    refetchInterval: paused ? false : everyMs,
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: !paused,
    retry: false,
    // A browser that believes itself offline must find out, and say so.
    networkMode: "always",
  });
  const unread = data === undefined && initial.kind !== "read" ? initial.sentence : null;
  return { value: data ?? null, problem: error?.message ?? unread };
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { PollError } from "@/app/(desk)/live/poll";
import { pollChecked } from "@/app/(desk)/live/poll-checked";
import { useClockMode } from "@/components/ui/db-clock";
import type { Reading } from "@/lib/domain/queue";
import type { Workers } from "@/lib/domain/worker";

const EVERY_MS = 2_000;

/** The workers of a queue, as often as the rest of the page; what could not be read leaves the last good ones in place. */
export function useWorkers(queue: string, initial: Reading<Workers>) {
  const paused = useClockMode() === "paused";
  const { data, error } = useQuery({
    queryKey: ["workers", queue],
    queryFn: async (asked): Promise<Workers> => {
      const path = `/api/workers/${encodeURIComponent(queue)}`;
      const reading = await pollChecked(
        path,
        asked,
        async () => (await import("@/app/(desk)/live/schemas")).WorkersReading,
      );
      if (reading?.kind === "read") return reading.value;
      throw new PollError(reading?.sentence ?? "This queue gives no leases.");
    },
    initialData: initial.kind === "read" ? initial.value : undefined,
    staleTime: EVERY_MS,
    refetchInterval: paused ? false : EVERY_MS,
    refetchOnWindowFocus: !paused,
    retry: false,
    networkMode: "always",
  });
  const unread = data === undefined && initial.kind !== "read" ? initial.sentence : null;
  return { workers: data ?? null, problem: error?.message ?? unread };
}

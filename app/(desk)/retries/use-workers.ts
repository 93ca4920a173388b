"use client";

import { useReading } from "@/app/(desk)/live/use-reading";
import type { Reading } from "@/lib/domain/queue";
import type { Workers } from "@/lib/domain/worker";

/** The workers of a queue, as often as the rest of the page. */
export function useWorkers(queue: string, initial: Reading<Workers>) {
  const { value, problem } = useReading({
    path: `/api/workers/${encodeURIComponent(queue)}`,
    everyMs: 2_000,
    initial,
    schema: async () => (await import("@/app/(desk)/live/schemas")).WorkersReading,
    absent: "This queue gives no leases.",
  });
  return { workers: value, problem };
}

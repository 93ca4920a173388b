"use client";

import { useReading } from "@/app/(desk)/live/use-reading";
import type { ListState } from "@/lib/domain/list-state";
import type { Reading } from "@/lib/domain/queue";

/** The lists of a queue, as often as the rest of the page. */
export function useListState(queue: string, initial: Reading<ListState>) {
  const { value, problem } = useReading({
    path: `/api/lists/${encodeURIComponent(queue)}`,
    everyMs: 2_000,
    initial,
    schema: async () => (await import("@/app/(desk)/live/schemas")).ListStateReading,
    absent: "This queue keeps no lists.",
  });
  return { state: value, problem };
}

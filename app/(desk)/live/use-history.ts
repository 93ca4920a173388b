"use client";

import { useReading } from "@/app/(desk)/live/use-reading";
import type { History } from "@/lib/domain/history";
import type { Reading } from "@/lib/domain/queue";

/** The last half hour, as often as the keeper adds to it. */
export function useHistory(initial: Reading<History>): { history: History | null; problem: string | null } {
  const { value, problem } = useReading({
    path: "/api/history",
    everyMs: 5_000,
    initial,
    schema: async () => (await import("@/app/(desk)/live/schemas")).HistoryReading,
  });
  return { history: value, problem };
}

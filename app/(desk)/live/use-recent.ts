"use client";

import { useReading } from "@/app/(desk)/live/use-reading";
import type { Reading } from "@/lib/domain/queue";
import type { Recent } from "@/lib/domain/recent";

/** The last half hour of every queue, as often as the keeper adds to it. */
export function useRecent(initial: Reading<Recent>): { recent: Recent | null; problem: string | null } {
  const { value, problem } = useReading({
    path: "/api/recent",
    everyMs: 5_000,
    initial,
    schema: async () => (await import("@/app/(desk)/live/schemas")).RecentReading,
  });
  return { recent: value, problem };
}

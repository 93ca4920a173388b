"use client";

import { useReading } from "@/app/(desk)/live/use-reading";
import { queryString } from "@/components/ui/query";
import { type ChartRange, SPANS, writeChartRange } from "@/lib/domain/chart-range";
import type { History } from "@/lib/domain/history";
import type { Reading } from "@/lib/domain/queue";

const HOURS_3 = SPANS["3h"];

/** The charts' readings of a range: of a short one as often as the keeper adds to it. */
export function useHistory(
  range: ChartRange,
  initial: Reading<History>,
): { history: History | null; problem: string | null } {
  const short = range.kind === "last" && SPANS[range.span] <= HOURS_3;
  const { value, problem } = useReading({
    path: `/api/history${queryString({ range: range.kind === "last" ? range.span : undefined, ...writeChartRange(range) })}`,
    everyMs: short ? 5_000 : 60_000,
    initial,
    schema: async () => (await import("@/app/(desk)/live/schemas")).HistoryReading,
  });
  return { history: value, problem };
}

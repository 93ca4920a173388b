import type { Pool } from "pg";
import { z } from "zod";
import { valueOr } from "@/lib/console/lists/settled";
import { readMarks } from "@/lib/console/samples/read-marks";
import { ms, one, type Sql } from "@/lib/db/pg";
import type { ArchiveFilter } from "@/lib/domain/archived-letter";
import type { Bins } from "@/lib/domain/bins";
import type { ChartMark } from "@/lib/domain/history";
import type { Reading } from "@/lib/domain/queue";
import type { CappedCount, PageRequest } from "@/lib/queues/queue";
import { type CaughtUp, listCaughtUp } from "./caught-up";
import { countArchived, countGroups } from "./count";
import { type GroupsView, readGroups } from "./groups";
import { type HistogramBin, readHistogram } from "./histogram";
import { listArchivedKinds } from "./kinds";
import { type ArchivePage, listArchived } from "./list";
import { archiveReading } from "./reading";
import { searchOf } from "./search";

export type ReviewAsked = {
  view: "error" | "list";
  filter: ArchiveFilter;
  request: PageRequest;
  /** What the histogram shows. */
  bins: Bins;
  /** The queues that are archived. */
  archived: string[];
};

/** The dead letters as one page shows them. Each part is read by itself. */
export type Review = {
  /** Null: the other view was asked for. */
  page: Reading<ArchivePage> | null;
  groups: Reading<GroupsView> | null;
  histogram: Reading<HistogramBin[]>;
  /** What was done in the histogram's time; empty also where that could not be read. */
  marks: ChartMark[];
  count: CappedCount | null;
  /** How many causes; null: not told. */
  causes: number | null;
  kinds: string[];
  /** How far the archive is behind its queues. */
  caughtUp: Reading<CaughtUp[]>;
};

const NOW: Sql = { name: "archive_now", text: `select ${ms("statement_timestamp()")} as at_ms` };

/** The archive's clock, ms since 1970; null: it does not answer. */
export async function readArchiveClock(own: Pool): Promise<number | null> {
  const now = await archiveReading("now", () => one(own, NOW, z.object({ at_ms: z.number() })));
  return valueOr(now, null)?.at_ms ?? null;
}

/** Reads a view of the archive. Never throws. */
export async function readReview(own: Pool, { view, filter, request, bins, archived }: ReviewAsked): Promise<Review> {
  // Where a text stands is asked once. When that fails, so does each part, which tells it.
  const search = searchOf(own, filter.text);
  const [page, groups, histogram, marks, count, causes, kinds, caughtUp] = await Promise.all([
    view === "list" ? archiveReading("list", () => listArchived(own, filter, request, search)) : null,
    view === "error"
      ? archiveReading("groups", () => readGroups(own, filter, sparkSpan(filter, bins), { search }))
      : null,
    archiveReading("histogram", () => readHistogram(own, filter, bins, search)),
    archiveReading("marks", () => readMarks(own, bins.fromMs, bins.toMs)),
    archiveReading("count", () => countArchived(own, filter, { search })),
    view === "list" ? archiveReading("causes", () => countGroups(own, filter, search)) : null,
    archiveReading("kinds", () => listArchivedKinds(own, filter.queues)),
    archiveReading("caught_up", () => listCaughtUp(own, archived)),
  ]);
  return {
    page,
    groups,
    histogram,
    marks: valueOr(marks, []),
    count: valueOr(count, null),
    causes: groups ? (valueOr(groups, null)?.total ?? null) : causes && valueOr(causes, null),
    kinds: valueOr(kinds, []),
    caughtUp,
  };
}

/** Sparklines are of the time that is chosen, else of the histogram's. */
export const sparkSpan = (filter: ArchiveFilter, bins: Bins) => ({
  fromMs: filter.fromMs ?? bins.fromMs,
  toMs: filter.toMs ?? bins.toMs,
});

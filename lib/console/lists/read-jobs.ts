import { readEngineShared } from "@/lib/console/overview/read";
import type { Reading } from "@/lib/domain/queue";
import type { RetryJob, RetryState } from "@/lib/domain/retry";
import type { CappedCount, JobCounts, JobFilter, Page, PageRequest, Queue } from "@/lib/queues/queue";
import { settled, valueOr } from "./settled";
import { type Widened, widenings } from "./widenings";

/** One page of a queue's jobs with all that stands around it. Each part is read by itself. */
export type JobsView = {
  page: Reading<Page<RetryJob>>;
  /** Jobs by state under the filter without its states; null: not told just now. */
  counts: JobCounts | null;
  kinds: string[];
  /** The engine's own limits; null where it does not tell them. */
  limits: { attemptsMax: number; leaseMs: number } | null;
  /** When nothing matched: how many would without each part of the filter. */
  widened: Widened<JobFilter>[];
};

/** Reads a page of jobs. Never throws. */
export async function readJobs(queue: Queue, filter: JobFilter, request: PageRequest): Promise<JobsView> {
  const { jobs } = queue;
  if (!jobs) throw new Error(`${queue.name} has no jobs to list`);
  const [page, counts, kinds, engine] = await Promise.all([
    settled(queue, "jobs", () => jobs.listJobs(filter, request)),
    settled(queue, "counts", () => jobs.countJobs(filter)),
    settled(queue, "kinds", () => jobs.listKinds()),
    readEngineShared(),
  ]);
  const empty = page.kind === "read" && page.value.rows.length === 0;
  const countOf = async (wider: JobFilter) => {
    const found = await jobs.countJobs(wider);
    const states = wider.states?.length ? wider.states : (Object.keys(found) as RetryState[]);
    return sumStates(found, states);
  };
  return {
    page,
    counts: valueOr(counts, null),
    kinds: valueOr(kinds, []),
    limits: engine.reading.kind === "read" ? engine.reading.value.limits : null,
    widened: empty ? valueOr(await settled(queue, "widened", () => widenings(filter, countOf)), []) : [],
  };
}

/** How many jobs are in some states; `capped` where the count of one of them stopped. */
export const sumStates = (counts: JobCounts, states: readonly RetryState[]): CappedCount => ({
  count: states.reduce((sum, state) => sum + counts[state].count, 0),
  capped: states.some((state) => counts[state].capped),
});

import type { Pool } from "pg";
import { many } from "@/lib/db/pg";
import { COUNT_MAX } from "@/lib/domain/queue";
import type { RetryState } from "@/lib/domain/retry";
import { decodeCursor, pageOf } from "@/lib/queues/cursor";
import { NotReadable } from "@/lib/queues/failed-reading";
import type { JobCounts, JobFilter, JobReader } from "@/lib/queues/queue";
import { type Features, notReadable, readFeatures } from "./features";
import { countJobsSql, JobRow, listJobsSql, StateCountRow } from "./jobs-sql";
import { listKinds } from "./kinds";

/** States whose counts stop together. */
const TOGETHER: RetryState[][] = [["leased", "expired"], ["due"], ["scheduled", "retrying"]];

const values = (filter: JobFilter) => [
  filter.states?.length ? filter.states : null,
  filter.kind ?? null,
  filter.owner ?? null,
  filter.subject ?? null,
  filter.attemptsMin ?? null,
  filter.impact ?? null,
];

async function features(pool: Pool): Promise<Features> {
  const found = await readFeatures(pool);
  if (!found.jobs) throw new NotReadable(notReadable("persistence_retry_jobs"));
  return found;
}

/** The retry rows: lists by keyset, oldest first, and counts by state. */
export function jobReader(pool: Pool): JobReader {
  return {
    async listJobs(filter, { after, before, limit }) {
      const cursor = decodeCursor(before) ?? decodeCursor(after);
      const backwards = cursor !== null && decodeCursor(before) !== null;
      const found = await many(pool, listJobsSql(await features(pool), backwards), JobRow, [
        ...values(filter),
        ...(cursor ?? [null, null]),
        limit + 1,
      ]);
      const page = pageOf(found, limit, { backwards, fromCursor: cursor !== null });
      return { ...page, atMs: found[0]?.atMs ?? 0 };
    },
    async countJobs(filter) {
      const rows = await many(pool, countJobsSql(await features(pool)), StateCountRow, [
        ...values({ ...filter, states: undefined }),
        COUNT_MAX + 1,
      ]);
      const found = new Map(rows.map(({ state, jobs }) => [state, jobs]));
      const counted = TOGETHER.flatMap((states) => {
        const counts = states.map((state) => ({ state, count: found.get(state) ?? 0 }));
        const capped = counts.reduce((sum, { count }) => sum + count, 0) > COUNT_MAX;
        return counts.map(({ state, count }) => [state, { count: Math.min(count, COUNT_MAX), capped }] as const);
      });
      return Object.fromEntries(counted) as JobCounts;
    },
    async listKinds() {
      await features(pool);
      return listKinds(pool);
    },
  };
}

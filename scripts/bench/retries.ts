import type pg from "pg";
import { encodeCursor } from "@/lib/queues/cursor";
import { depthsSql } from "@/lib/queues/persistence-retry/depths-sql";
import { readFeatures } from "@/lib/queues/persistence-retry/features";
import { jobReader } from "@/lib/queues/persistence-retry/jobs";
import { atMost, type Figure } from "./figure";
import { fillWaiting, SHAPES } from "./fill-waiting";
import { median, ratios, rounded, timed } from "./rounds";
import { openBenchStores } from "./stores";

const ROWS = 1_000_000;
const PAGE = 100;
const ROUNDS = 5;

/** Just the page's rows, by the same order: what no list can do without. */
const BARE = `select retry_job_id, job_kind, attempt_count, next_attempt_at, created_at, lease_owner, lease_expires_at
  from persistence_retry_jobs order by created_at, retry_job_id limit ${PAGE}`;

/** The list of retries and one reading of its depths over 1,000,000 rows that wait. */
export async function retries(): Promise<Figure[]> {
  const stores = await openBenchStores();
  try {
    const pool = stores.pool(await stores.database("bench_retries"), 1);
    const depths: { shape: string; ms: number }[] = [];
    for (const shape of SHAPES) {
      await fillWaiting(pool, ROWS, shape);
      depths.push({ shape: shape.name, ms: await databaseMs(pool, depthsSql(await readFeatures(pool)).text) });
    }
    const list = jobReader(pool);
    const first = () => list.listJobs({}, { limit: PAGE });
    const deepest = await cursorNearTheEnd(pool);
    const deep = () => list.listJobs({}, { limit: PAGE, after: deepest });
    const times = { bare: [] as number[], first: [] as number[], deep: [] as number[] };
    for (let round = -1; round < ROUNDS; round += 1) {
      const taken = { bare: await timed(() => pool.query(BARE)), first: await timed(first), deep: await timed(deep) };
      // The first prepares the statements and warms the pages.
      if (round < 0) continue;
      for (const name of ["bare", "first", "deep"] as const) times[name].push(taken[name]);
    }
    const ms = (of: number[]) => `${rounded(median(of))} ms`;
    return [
      atMost(
        "first page of retries over 1,000,000 rows against its bare statement",
        rounded(median(ratios(times.first, times.bare))),
        "x",
        3,
        `${ms(times.first)} against ${ms(times.bare)}`,
      ),
      atMost(
        "deepest page of retries over 1,000,000 rows against the first",
        rounded(median(ratios(times.deep, times.first))),
        "x",
        1.5,
        `${ms(times.deep)} against ${ms(times.first)}`,
      ),
      ...depths.map(({ shape, ms }) =>
        atMost(`one reading of the depths over 1,000,000 rows, ${shape}`, rounded(ms), "ms of database time", 100),
      ),
    ];
  } finally {
    await stores.end();
  }
}

/** The statement's own time as the server measures it, the median of some. */
async function databaseMs(pool: pg.Pool, text: string): Promise<number> {
  const times: number[] = [];
  for (let round = -1; round < ROUNDS; round += 1) {
    const { rows } = await pool.query(`explain (analyze, timing off, format json) ${text}`);
    const plan = (rows[0] as { "QUERY PLAN": { "Execution Time": number }[] })["QUERY PLAN"];
    if (round >= 0) times.push(plan[0]?.["Execution Time"] ?? Number.NaN);
  }
  return median(times);
}

/** The place after which only the last page lies. */
async function cursorNearTheEnd(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ at: string }>("select max(created_at)::text as at from persistence_retry_jobs");
  const end = encodeCursor(rows[0]?.at ?? "", "ffffffff-ffff-ffff-ffff-ffffffffffff");
  const last = await jobReader(pool).listJobs({}, { limit: PAGE, before: end });
  if (last.previous === null) throw new Error("the last page has no cursor");
  return last.previous;
}

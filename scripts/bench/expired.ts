import type pg from "pg";
import { parseEngineConfig } from "@/lib/config-engine";
import { createPool } from "@/lib/db/pg";
import { WakeSignal } from "@/lib/engine/durable/wake-signal";
import { createCounters } from "@/lib/engine/persistence-retry/counters";
import { startWorker } from "@/lib/engine/persistence-retry/worker";
import { until } from "@/scripts/testing/until";
import type { Figure } from "./figure";
import { fillJobs, newCharacters } from "./fill-jobs";
import { rounded } from "./rounds";
import { timeStatements } from "./statement-times";
import { openBenchStores } from "./stores";
import { withoutLogs } from "./without-logs";

const JOBS = 50_000;
const STATEMENT_MAX_MS = 250;
const WITHIN_MS = 3_600_000;

// Each 128 in claim order are a claim of their own that nobody came back to.
const EXPIRE = `
  update persistence_retry_jobs j
     set lease_token = md5((n / 128)::text)::uuid, lease_owner = 'gone',
         lease_expires_at = clock_timestamp() - interval '1 hour' + (n / 128) * interval '1 ms'
    from (select retry_job_id, row_number() over (order by next_attempt_at, created_at, retry_job_id) - 1 as n
            from persistence_retry_jobs) as each
   where each.retry_job_id = j.retry_job_id`;

/** 50,000 leases that ran out, in claims of 128: the worker takes them all up again and drains them. */
export async function expired(): Promise<Figure[]> {
  const stores = await openBenchStores();
  try {
    const url = await stores.database("bench_expired");
    const plain = stores.pool(url);
    await fillJobs(plain, await newCharacters(plain), JOBS);
    await plain.query(EXPIRE);
    await plain.query("vacuum analyze persistence_retry_jobs");
    const { retry: settings } = parseEngineConfig({ BACKSTOP_ENGINE_DATABASE_URL: url });
    const pool = createPool({ url, application: "engine-worker", max: 2, statementTimeoutMs: 8_000 });
    const slowest = timeStatements(pool);
    const counters = createCounters();
    const since = performance.now();
    const deps = { pool, settings, signal: new WakeSignal(1_024), counters, workerId: "bench" };
    const seconds = await withoutLogs(async () => {
      const worker = startWorker(deps);
      await until(() => isEmpty(plain), WITHIN_MS);
      const took = (performance.now() - since) / 1_000;
      await worker.stop();
      return took;
    });
    await pool.end();
    return [await figureOf(plain, slowest, seconds)];
  } finally {
    await stores.end();
  }
}

// Through the index: the heap's dead rows are not counted each time.
const LEFT = "select 1 from persistence_retry_jobs order by next_attempt_at, created_at, retry_job_id limit 1";

async function isEmpty(pool: pg.Pool): Promise<boolean> {
  return (await pool.query(LEFT)).rows.length === 0;
}

async function figureOf(pool: pg.Pool, slowest: Map<string, number>, seconds: number): Promise<Figure> {
  const { rows } = await pool.query(
    `select (select count(*)::int from persistence_applied_keys) as written,
            (select sum(lost_leases)::int from persistence_retry_minute_counts) as judged,
            (select count(*)::int from persistence_job_dead_letters) as dead`,
  );
  const { written, judged, dead } = rows[0];
  const order = [...slowest].sort(([, a], [, b]) => b - a);
  const [name = "none", ms = 0] = order[0] ?? [];
  const others = order.slice(1, 4).map(([other, otherMs]) => `${other} ${rounded(otherMs)}`);
  return {
    name: "50,000 expired leases drained, slowest statement",
    value: rounded(ms),
    unit: "ms",
    goal: `all written, none dead, ≤ ${STATEMENT_MAX_MS} ms`,
    met: written === JOBS && dead === 0 && ms <= STATEMENT_MAX_MS,
    note: `${name}; then ${others.join(", ")} ms; ${written} written, ${dead} dead, ${judged} leases judged, in ${rounded(seconds, 1)} s`,
  };
}

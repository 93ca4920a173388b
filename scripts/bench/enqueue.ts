import { randomUUID } from "node:crypto";
import { createPool } from "@/lib/db/pg";
import { WakeSignal } from "@/lib/engine/durable/wake-signal";
import { createCounters } from "@/lib/engine/persistence-retry/counters";
import { newRetryJob, queuePersistenceRetryJobDurableWithMetrics } from "@/lib/engine/persistence-retry/queue";
import { locationJob, newCharacter } from "@/lib/engine/testing/maker";
import { bareInsert } from "./baseline/insert";
import type { Figure } from "./figure";
import { emptyJobs } from "./fill-jobs";
import { median, percentile, ratios, rounded, timed } from "./rounds";
import { openBenchStores } from "./stores";

const ROUNDS = 5;
const INSERTS = 400;
const SECRET = "a key for the bench, and for nothing else";

/** One job recorded, its token's hash included, and signaled, in turn with a bare insert of the same row. */
export async function enqueue(): Promise<Figure[]> {
  const stores = await openBenchStores();
  try {
    const url = await stores.database("bench_enqueue");
    const plain = stores.pool(url);
    const person = await newCharacter(plain);
    const pool = createPool({ url, application: "engine-bench", max: 2, statementTimeoutMs: 8_000 });
    const [ours, bare]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      await emptyJobs(plain);
      const deps = { pool, signal: new WakeSignal(INSERTS), counters: createCounters() };
      const [product, baseline]: [number[], number[]] = [[], []];
      for (let n = 0; n < INSERTS; n += 1) {
        const job = locationJob(person);
        const row = newRetryJob(randomUUID(), job, null);
        baseline.push(await timed(() => bareInsert(plain, row)));
        product.push(
          await timed(() => queuePersistenceRetryJobDurableWithMetrics(deps, newRetryJob(randomUUID(), job, SECRET))),
        );
      }
      ours.push(percentile(product, 95));
      bare.push(percentile(baseline, 95));
    }
    await pool.end();
    const each = ratios(ours, bare);
    return [
      {
        name: "insert and signal of one job, p95",
        value: rounded(median(ours)),
        unit: "ms",
        goal: "≤ 2 x a bare insert",
        met: median(each) <= 2,
        note: `${rounded(median(each))} x, least ${rounded(Math.min(...each))} x; bare p95 ${rounded(median(bare))} ms; ${ROUNDS} rounds of ${INSERTS} each, in turn`,
      },
    ];
  } finally {
    await stores.end();
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import { WakeSignal } from "@/lib/engine/durable/wake-signal";
import { createCounters } from "@/lib/engine/persistence-retry/counters";
import { persistOrQueue } from "@/lib/engine/persistence-retry/persist";
import {
  newRetryJob,
  type QueueDeps,
  queuePersistenceRetryJobDurableWithMetrics,
} from "@/lib/engine/persistence-retry/queue";
import type { Chaos } from "./chaos";
import { type Made, makeWork, workOf } from "./make-work";
import { count } from "./tally";

/** The pace, ms between two pieces of work. */
const PACE_MS = 12;
/** Waiting rows beyond which it pauses: a backlog that nobody works off makes every drain longer. */
const BACKLOG_MAX = 400;
const DOOMED = 0.15;
const DIRECT = 0.2;
const AGAIN = 0.05;

/** Queues work of all kinds until it is stopped, and writes down what it was told. */
export function startProducer(chaos: Pick<Chaos, "pool" | "world" | "book" | "tally" | "random">): {
  stop(): Promise<void>;
} {
  const { pool, world, book, tally } = chaos;
  const random = chaos.random.fork();
  const deps: QueueDeps = { pool, signal: new WakeSignal(1_000_000), counters: createCounters() };
  const lately: Made[] = [];
  let stopping = false;

  async function produce(): Promise<void> {
    const again = lately.length > 0 && random.chance(AGAIN) ? random.pick(lately) : null;
    // The same write, delivered again under another job.
    const made = again
      ? { job: again.job, work: workOf(again.job, again.work.mark) }
      : await makeWork(pool, world, random, random.chance(DOOMED));
    const { work, job } = made;
    work.direct = random.chance(DIRECT);
    book.works.set(work.retryJobId, work);
    lately.push(made);
    if (lately.length > 50) lately.shift();
    if (work.direct) await persistOrQueue({ ...deps, secret: null }, work.retryJobId, job);
    else await queuePersistenceRetryJobDurableWithMetrics(deps, newRetryJob(work.retryJobId, job, null));
    work.told = "durable";
    count(tally, "pieces of work");
  }

  async function run(): Promise<void> {
    for (let n = 0; !stopping; n += 1) {
      // The store is away: what it was told stays `unknown`.
      await produce().catch(() => sleep(50));
      await sleep(PACE_MS);
      if (n % 50 !== 0) continue;
      const { rows } = await pool
        .query("select count(*)::int as n from persistence_retry_jobs")
        .catch(() => ({ rows: [] }));
      if (rows[0]?.n > BACKLOG_MAX) await sleep(500);
    }
  }

  const running = run();
  return {
    async stop() {
      stopping = true;
      await running;
    },
  };
}

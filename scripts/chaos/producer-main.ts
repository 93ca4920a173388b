import { createInterface } from "node:readline";
import pg from "pg";
import { WakeSignal } from "@/lib/engine/durable/wake-signal";
import { createCounters } from "@/lib/engine/persistence-retry/counters";
import { newRetryJob, queuePersistenceRetryJobDurableWithMetrics } from "@/lib/engine/persistence-retry/queue";
import { makeWork } from "./make-work";
import { createRandom } from "./random";
import type { World } from "./world";

/**
 * A producer as a process of its own, to be killed between its insert and what comes after it. Reads one line, `{url,
 * seed, world}`; prints `{"intent": work}` before each insert and `{"durable": id}` after it. Pipes are written
 * synchronously: what was said was said before the kill.
 */
async function main(): Promise<void> {
  const [line] = await new Promise<string[]>((resolve) =>
    createInterface({ input: process.stdin }).once("line", (first) => resolve([first])),
  );
  const { url, seed, world } = JSON.parse(line ?? "{}") as { url: string; seed: number; world: World };
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const deps = { pool, signal: new WakeSignal(1_000_000), counters: createCounters() };
  const random = createRandom(seed);
  for (;;) {
    const { work, job } = await makeWork(pool, world, random, false);
    console.log(JSON.stringify({ intent: work }));
    await queuePersistenceRetryJobDurableWithMetrics(deps, newRetryJob(work.retryJobId, job, null));
    console.log(JSON.stringify({ durable: work.retryJobId }));
  }
}

void main();

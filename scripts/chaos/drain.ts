import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { requeueBatch } from "@/lib/engine/persistence-retry";
import { POISON_ERROR } from "@/lib/engine/persistence-retry/judge-lost-claims";
import { checkConservation } from "@/lib/engine/testing/conservation";
import { type Chaos, goOn } from "./chaos";
import { openFleet } from "./fleet";
import { count, violated } from "./tally";
import { mendAll } from "./world";

const STANDS_STILL_MS = 90_000;

/** Two undisturbed engines work everything off; then every piece of work is looked for. */
export async function drainAndCheck(chaos: Chaos, name: string): Promise<void> {
  const fleet = openFleet(chaos);
  try {
    fleet.start();
    fleet.start();
    await untilNothingWaits(chaos, name);
  } finally {
    await fleet.end();
  }
  const { violations, live, dead, done } = await checkConservation(chaos.pool, chaos.book);
  // What is wrong stays wrong: it is told at the first check that finds it.
  const fresh = violations.filter((violation) => !chaos.tally.violations.some((known) => known.endsWith(violation)));
  for (const violation of fresh) violated(chaos.tally, `after ${name}: ${violation}`);
  count(chaos.tally, "checks of everything");
  chaos.say(`after ${name}: ${live} live, ${dead} dead, ${done} done; ${violations.length} violations`);
}

/** However long it takes; but something must move. */
export async function untilNothingWaits(chaos: Chaos, name: string): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  for (let movedMs = performance.now(); ; await sleep(100)) {
    goOn(chaos);
    const { rows } = await chaos.pool.query("select count(*)::int as n from persistence_retry_jobs");
    const waiting = Number(rows[0].n);
    if (waiting === 0) return;
    if (waiting < least) movedMs = performance.now();
    least = Math.min(least, waiting);
    if (performance.now() < movedMs + STANDS_STILL_MS) continue;
    violated(chaos.tally, `after ${name}: ${waiting} rows wait, and nothing moves`);
    return;
  }
}

/** Every cause is fixed and every letter but the poisonous ones is requeued: in the end all of it must be done. */
export async function finish(chaos: Chaos): Promise<void> {
  const { pool, world, tally, book } = chaos;
  await mendAll(pool, world);
  const { rows } = await pool.query(
    "select dead_letter_id from persistence_job_dead_letters where requeued_at is null and error <> $1",
    [POISON_ERROR],
  );
  for (let at = 0; at < rows.length; at += 100) {
    const items = rows.slice(at, at + 100).map(({ dead_letter_id }) => ({ dead_letter_id, expect: undefined }));
    await requeueBatch(pool, { operationId: randomUUID(), actor: "chaos", items });
  }
  await drainAndCheck(chaos, "everything was mended and requeued");
  const poison = [...book.works.values()].filter((work) => work.poison).length;
  const left = await pool.query(
    "select count(*)::int as n from persistence_job_dead_letters where requeued_at is null",
  );
  if (left.rows[0].n !== poison) violated(tally, `${left.rows[0].n} letters are left, of which ${poison} are poison`);
}

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Failpoint } from "@/lib/engine/failpoint";
import type { PersistenceRetryJob } from "@/lib/engine/persistence-retry/payload/decode";
import { effectState, stateAfterOne } from "@/lib/engine/testing/effect-state";
import { insertJob, insertLetter, newCharacter } from "@/lib/engine/testing/maker";
import { ONE_OF_EACH_KIND } from "@/lib/engine/testing/one-of-each-kind";
import { type Chaos, goOn } from "@/scripts/chaos/chaos";
import { type Fleet, openFleet } from "@/scripts/chaos/fleet";
import { count, violated } from "@/scripts/chaos/tally";
import { ENGINE_POINTS } from "./engine-kills";

const WITHIN_MS = 60_000;
const DATABASE = "crash_points";

/** Every kind, killed for real at every point that an engine comes by, and delivered once more: as after one delivery. */
export async function crashPoints(chaos: Chaos): Promise<void> {
  await chaos.postgres.newDatabase(DATABASE);
  const pool = chaos.postgres.pool("engine", 4, DATABASE);
  const fleet = openFleet(chaos, DATABASE);
  try {
    // Stopped but for when it is needed: the engine to be killed must have the row to itself.
    const heir = fleet.start();
    await heir.ready;
    for (const point of ENGINE_POINTS) {
      for (const [kind, make] of Object.entries(ONE_OF_EACH_KIND)) {
        goOn(chaos);
        heir.kill("SIGSTOP");
        const job = await make(pool, await newCharacter(pool));
        const once = await stateAfterOne(pool, job);
        await killAt(chaos, fleet, pool, point, job);
        heir.kill("SIGCONT");
        await untilNothingWaits(pool);
        await requeueWhatIsLeft(chaos, fleet, pool);
        await insertJob(pool, job);
        await untilNothingWaits(pool);
        const state = await effectState(pool, job.payload.characterId);
        if (JSON.stringify(state) !== JSON.stringify(once))
          violated(chaos.tally, `${kind} killed at ${point}: ${JSON.stringify(state)}`);
        count(chaos.tally, "kinds killed at a point, and delivered twice");
      }
    }
  } finally {
    await fleet.end();
  }
  chaos.say(`crash points: ${ENGINE_POINTS.length} points, each kind`);
}

async function killAt(chaos: Chaos, fleet: Fleet, pool: pg.Pool, point: Failpoint, job: PersistenceRetryJob) {
  const requeue = point.startsWith("requeue");
  const letter = requeue ? await insertLetter(pool, job) : null;
  const holder = await pool.connect();
  await holder.query("begin");
  // It can fail only while somebody holds its character.
  if (point === "failure.before_commit")
    await holder.query("select 1 from characters where character_id = $1 for update", [job.payload.characterId]);
  if (!requeue) await insertJob(pool, job);
  const engine = fleet.start({ BACKSTOP_FAILPOINTS: `${point}=kill` });
  if (letter !== null) {
    await engine.ready;
    await fleet.clientOf(engine)?.requeueOne(letter, { operationId: randomUUID(), actor: "chaos" });
  }
  const how = await Promise.race([engine.ended, sleep(WITHIN_MS).then(() => "nothing")]);
  await holder.query("rollback");
  holder.release();
  if (how !== "SIGKILL") violated(chaos.tally, `at ${point} its process ended with ${how}, and was not killed`);
}

/** Killed before the commit of a requeue, the letter is active still, and is requeued again. */
async function requeueWhatIsLeft({ random }: Chaos, fleet: Fleet, pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query(
    "select dead_letter_id from persistence_job_dead_letters where requeued_at is null",
  );
  for (const { dead_letter_id } of rows)
    await fleet.client(random)?.requeueOne(dead_letter_id, { operationId: randomUUID(), actor: "chaos" });
  await untilNothingWaits(pool);
}

async function untilNothingWaits(pool: pg.Pool): Promise<void> {
  for (const end = performance.now() + WITHIN_MS; performance.now() < end; await sleep(20)) {
    const { rows } = await pool.query("select count(*)::int as n from persistence_retry_jobs");
    if (rows[0].n === 0) return;
  }
  throw new Error(`rows wait for more than ${WITHIN_MS / 1_000} s`);
}

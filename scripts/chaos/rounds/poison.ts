import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { md5 } from "@/lib/engine/testing/conservation";
import { insertJob, newCharacter, rewardsJob } from "@/lib/engine/testing/maker";
import { insertPoison, SMALL_HEAP } from "@/lib/engine/testing/poison";
import { type Chaos, goOn } from "@/scripts/chaos/chaos";
import { openFleet } from "@/scripts/chaos/fleet";
import { workOf } from "@/scripts/chaos/make-work";
import { count, violated } from "@/scripts/chaos/tally";

const WITHIN_MS = 120_000;
const BATCH = 12;
/** A busy machine must not give the batch back because its lease is short; nobody waits for it to run out. */
const LONG_LEASE = { PERSISTENCE_RETRY_LEASE_MILLIS: "60000" };

/** One payload exhausts the heap of whoever looks at it. Its engine is started again each time, as a supervisor does. */
export async function poison(chaos: Chaos): Promise<void> {
  const { pool, tally, book } = chaos;
  const person = await newCharacter(pool);
  const others: string[] = [];
  const innocent = async () => {
    const job = rewardsJob(person);
    const work = { ...workOf(job, "240"), told: "durable" as const };
    work.retryJobId = await insertJob(pool, job);
    book.works.set(work.retryJobId, work);
    others.push(work.retryJobId);
  };
  for (let n = 0; n < BATCH / 2; n += 1) await innocent();
  const id = await insertPoison(pool, person);
  const { rows } = await pool.query("select payload from persistence_retry_jobs where retry_job_id = $1", [id]);
  const shape = workOf(rewardsJob(person, { key: `poison:${randomUUID()}` }), "240");
  book.works.set(id, { ...shape, retryJobId: id, payloadMd5: md5(rows[0].payload), told: "durable", poison: true });
  for (let n = 0; n < BATCH / 2; n += 1) await innocent();

  const fleet = openFleet(chaos);
  let deaths = 0;
  let allDoneAfter: number | null = null;
  try {
    for (const end = performance.now() + WITHIN_MS; performance.now() < end; ) {
      goOn(chaos);
      const engine = fleet.start({ NODE_OPTIONS: SMALL_HEAP, ...LONG_LEASE });
      const buried = engine.event("dead_letter").then(
        () => true,
        () => false,
      );
      if (await buried) break;
      deaths += 1;
      await pool.query(
        "update persistence_retry_jobs set lease_expires_at = statement_timestamp() where lease_token is not null",
      );
      const left = await pool.query(
        "select count(*)::int as n from persistence_retry_jobs where retry_job_id = any($1)",
        [others],
      );
      if (left.rows[0].n === 0) allDoneAfter ??= deaths;
      await sleep(50);
    }
  } finally {
    await fleet.end();
  }
  count(tally, "processes that the poison killed", deaths);
  count(tally, "deaths after which the rest of its batch was done", allDoneAfter ?? deaths + 1);
  if (deaths < 3) violated(tally, `the poison is dead after ${deaths} lost leases`);
  if (allDoneAfter === null || allDoneAfter >= deaths) violated(tally, "the batch waited for the poison");
  chaos.say(`poison: dead after ${deaths} lost leases; the rest of its batch was done after ${allDoneAfter}`);
}

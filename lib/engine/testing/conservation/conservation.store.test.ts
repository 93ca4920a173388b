import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requeueOne } from "@/lib/engine/persistence-retry";
import { claimDue } from "@/lib/engine/persistence-retry/claim";
import { createCounters } from "@/lib/engine/persistence-retry/counters";
import type { PersistenceRetryJob } from "@/lib/engine/persistence-retry/payload/decode";
import { encodePersistenceRetryJob } from "@/lib/engine/persistence-retry/payload/encode";
import { persistRetryJobBestEffort } from "@/lib/engine/persistence-retry/persist-retry-job";
import { insertJob, newCharacter, rewardsJob } from "@/lib/engine/testing/maker";
import { retrySettings } from "@/lib/engine/testing/retry-settings";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { checkConservation, checkWithin, md5, newBook, type Work } from ".";

let stores: TestStores;
let pool: pg.Pool;
const book = newBook();
/** A work in each place: live, dead, done, and done after a requeue. */
const works: Record<"live" | "dead" | "done" | "requeued", string> = { live: "", dead: "", done: "", requeued: "" };

async function queue(job: PersistenceRetryJob): Promise<string> {
  const retryJobId = await insertJob(pool, job);
  const work: Work = {
    retryJobId,
    kind: job.payload.kind,
    characterId: job.payload.characterId,
    key: job.idempotency.key,
    mark: "240",
    payloadMd5: md5(encodePersistenceRetryJob(job)),
    told: "durable",
    direct: false,
    poison: false,
  };
  book.works.set(retryJobId, work);
  return retryJobId;
}

async function workOff(): Promise<void> {
  const deps = { pool, settings: retrySettings({ attemptsMax: 1 }), counters: createCounters() };
  const claim = await claimDue(pool, { worker: "w", leaseMs: 60_000, rowsMax: 100 });
  for (const job of claim.jobs) await persistRetryJobBestEffort(deps, claim, job);
}

beforeAll(async () => {
  stores = await openStores();
  pool = stores.pool("engine");
  const person = await newCharacter(pool);
  works.done = await queue(rewardsJob(person));
  works.dead = await queue(rewardsJob(person, { zoneId: "nowhere" }));
  works.requeued = await queue(rewardsJob(person, { zoneId: "later" }));
  await workOff();
  await pool.query("insert into zone_catalog (zone_id, realm_id, name) values ('later', 'aurelia', 'later')");
  const letter = await one("select dead_letter_id from persistence_job_dead_letters where zone_id = 'later'");
  await requeueOne(pool, { deadLetterId: letter.dead_letter_id, actor: "a" });
  await workOff();
  works.live = await queue(rewardsJob(person));
});
afterAll(() => stores.close());

const one = async (sql: string, ...values: unknown[]) => (await pool.query(sql, values)).rows[0];

test("each piece of work is found where it is, and nothing is wrong", async () => {
  expect(await checkConservation(pool, book)).toEqual({ violations: [], live: 1, dead: 1, done: 2 });
});

// What a broken engine would leave; each is done by hand, told, and undone.
const BROKEN: [string, () => string, RegExp][] = [
  ["lost", () => `delete from persistence_retry_jobs where retry_job_id = '${works.live}'`, /is nowhere/],
  ["lost when dead", () => "delete from persistence_job_dead_letters where zone_id = 'nowhere'", /is nowhere/],
  [
    "live and dead at once",
    () =>
      `insert into persistence_retry_jobs select '${works.dead}', job_kind, character_id, realm_id, zone_id, payload, null, 0,
         now(), null, null, null, now(), now() from persistence_job_dead_letters where zone_id = 'nowhere'`,
    /in 1 letters and 1 jobs at once/,
  ],
  [
    "live twice",
    () =>
      `insert into persistence_retry_jobs select gen_random_uuid(), job_kind, character_id, realm_id, zone_id, payload, null, 0,
         now(), null, null, null, now(), now() from persistence_retry_jobs`,
    /job .* is nobody's/,
  ],
  [
    "written, and still there",
    () => `update persistence_applied_keys set retry_job_id = '${works.live}',
      idempotency_key = '${book.works.get(works.live)?.key}' where retry_job_id = '${works.done}'`,
    /is written, and still/,
  ],
  ["other bytes", () => "update persistence_retry_jobs set payload = payload || ' '", /other bytes/],
  ["paid twice", () => "update reward_balances set gold = gold + 240", /gold 820, and not 580/],
  [
    "in the reward ledger twice",
    () =>
      `insert into reward_ledger (idempotency_key, character_id, realm_id, zone_id, encounter_id, gold, item_ids, quantities, granted_at)
       select idempotency_key, character_id, realm_id, zone_id, encounter_id, gold, item_ids, quantities, granted_at from reward_ledger`,
    /has 2 rows in the reward ledger/,
  ],
  ["a version too many", () => "update characters set version = version + 1", /version 10 after 2 writes/],
  ["no outcome", () => "delete from persistence_retry_outcomes", /has the outcome undefined, and not recovered/],
  [
    "another outcome",
    () => "update persistence_retry_outcomes set outcome = 'superseded'",
    /outcome superseded, and not/,
  ],
  [
    "requeued into no job",
    () => "update persistence_job_dead_letters set requeued_at = now() where zone_id = 'nowhere'",
    /was requeued into no job/,
  ],
  [
    "an innocent poisoned",
    () => `update persistence_job_dead_letters set error = 'poison: 3 leases lost without a recorded failure'
            where zone_id = 'nowhere'`,
    /died of: poison/,
  ],
  [
    "requeued by two operations",
    () =>
      `insert into persistence_retry_operations (operation_id, dead_letter_id, expect, answer, actor, answered_at)
       select gen_random_uuid(), dead_letter_id, expect, answer, actor, answered_at from persistence_retry_operations`,
    /2 operations have it as requeued/,
  ],
];

test.each(BROKEN)("%s: told, with its ids", async (_what, sql, told) => {
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query(sql());
    const { violations } = await checkWithin(client, book);
    expect(violations.join("\n")).toMatch(told);
  } finally {
    await client.query("rollback");
    client.release();
  }
});

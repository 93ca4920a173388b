import type pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { insertJob, insertLetter, newCharacter, type Person, rewardsJob } from "@/lib/engine/testing/maker";
import { retrySettings } from "@/lib/engine/testing/retry-settings";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { requeueOne } from ".";
import { type Claim, claimDue, claimSignaled, claimSuspect, releaseClaim } from "./claim";
import { createCounters } from "./counters";
import { judgeLostClaims } from "./judge-lost-claims";
import { persistRetryJobBestEffort } from "./persist-retry-job";

let stores: TestStores;
let pool: pg.Pool;
let person: Person;
beforeAll(async () => {
  stores = await openStores();
  pool = await stores.warmPool("engine", 8);
});
afterAll(() => stores.close());
beforeEach(async () => {
  await pool.query(
    "truncate persistence_retry_jobs, persistence_job_dead_letters, persistence_retry_minute_counts, persistence_retry_outcomes",
  );
  person = await newCharacter(pool);
});

const ask = (worker: string, rowsMax = 128, leaseMs = 30_000) => ({ worker, leaseMs, rowsMax });
const idsOf = (claim: Claim) => claim.jobs.map((job) => job.retryJobId);
const rows = async (text: string, ...values: unknown[]) => (await pool.query(text, values)).rows;
const lostLeasesOf = async (id: string) =>
  (await rows("select coalesce(lost_leases, 0) as n from persistence_retry_jobs where retry_job_id = $1", id))[0]?.n;

/** So many due jobs, in the order in which they will be claimed. */
async function due(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push(await insertJob(pool, rewardsJob(person)));
  return ids;
}
/** The leases of a claim run out, as they do when nobody comes back. */
const runOut = (claim: Claim) =>
  pool.query(
    "update persistence_retry_jobs set lease_expires_at = statement_timestamp() - interval '1 second' where lease_token = $1",
    [claim.token],
  );
async function settle(claim: Claim, index = 0) {
  const job = claim.jobs[index];
  if (!job) throw new Error("not claimed");
  return persistRetryJobBestEffort({ pool, settings: retrySettings(), counters: createCounters() }, claim, job);
}

test("of a lost claim only the first unsettled row is suspect; the others are free, and are claimed without it", async () => {
  const ids = await due(4);
  const claim = await claimDue(pool, ask("lost"));
  expect(idsOf(claim)).toEqual(ids);
  expect(await settle(claim)).toBe("done");
  await runOut(claim);
  const judged = await judgeLostClaims(pool);
  expect(judged.map(({ retryJobId, lostBy, lostLeases }) => [retryJobId, lostBy, lostLeases]).sort()).toEqual(
    [
      [ids[1], "lost", 1],
      [ids[2], "lost", 0],
      [ids[3], "lost", 0],
    ].sort(),
  );
  expect(idsOf(await claimDue(pool, ask("next")))).toEqual([ids[2], ids[3]]);
  expect(idsOf(await claimSignaled(pool, ids, ask("next")))).toEqual([]);
  expect(idsOf(await claimSuspect(pool, ask("next")))).toEqual([ids[1]]);
  const counts = await rows(
    "select worker, lost_leases, dead from persistence_retry_minute_counts where lost_leases > 0",
  );
  expect(counts).toEqual([{ worker: "lost", lost_leases: 3, dead: 0 }]);
});

test("a live lease is not judged, and one that ran out is judged once", async () => {
  await due(2);
  const claim = await claimDue(pool, ask("alive", 1));
  expect(await judgeLostClaims(pool)).toEqual([]);
  await runOut(claim);
  expect(await judgeLostClaims(pool)).toHaveLength(1);
  expect(await judgeLostClaims(pool)).toEqual([]);
});

test("two workers judge the same lost claim at the same moment: each row once, one suspect", async () => {
  const ids = await due(6);
  await runOut(await claimDue(pool, ask("lost")));
  const first = await pool.connect();
  await first.query("begin");
  // Held, uncommitted, while the other judges: it still sees every row as lost.
  const mine = await judgeLostClaims(first);
  const theirs = await judgeLostClaims(pool);
  await first.query("commit");
  first.release();
  expect([mine.length, theirs.length]).toEqual([6, 0]);
  expect(await lostLeasesOf(ids[0] ?? "")).toBe(1);
  const [{ suspects }] = await rows(
    "select count(*)::int as suspects from persistence_retry_jobs where lost_leases > 0",
  );
  expect(suspects).toBe(1);
});

test("a row that somebody has locked is judged when the lock is gone, and holds nobody up", async () => {
  const ids = await due(3);
  await runOut(await claimDue(pool, ask("lost")));
  const holder = await pool.connect();
  await holder.query("begin");
  await holder.query("select 1 from persistence_retry_jobs where retry_job_id = $1 for update", [ids[0]]);
  expect((await judgeLostClaims(pool)).map((row) => row.lostLeases)).toEqual([0, 0]);
  await holder.query("rollback");
  holder.release();
  expect((await judgeLostClaims(pool)).map((row) => [row.retryJobId, row.lostLeases])).toEqual([[ids[0], 1]]);
});

test("three leases lost without a recorded failure: dead unrun, with its bytes, and an outcome where it was requeued", async () => {
  const letter = await insertLetter(pool, rewardsJob(person));
  const requeued = await requeueOne(pool, { deadLetterId: letter, actor: "a" });
  if (requeued.kind !== "requeued") throw new Error(requeued.kind);
  const id = requeued.retryJobId;
  const [before] = await rows("select payload from persistence_retry_jobs where retry_job_id = $1", id);
  await runOut(await claimDue(pool, ask("first")));
  for (const worker of ["second", "third"]) {
    expect((await judgeLostClaims(pool)).map((row) => row.deadLetterId)).toEqual([null]);
    await runOut(await claimSuspect(pool, ask(worker)));
  }
  const [judged] = await judgeLostClaims(pool);
  expect(judged).toMatchObject({ retryJobId: id, lostBy: "third", lostLeases: 3 });
  expect(await rows("select 1 from persistence_retry_jobs")).toEqual([]);
  expect(await rows("select * from persistence_job_dead_letters where retry_job_id = $1", id)).toMatchObject([
    {
      dead_letter_id: judged?.deadLetterId,
      error: "poison: 3 leases lost without a recorded failure",
      failed_attempts: 0,
      payload: before.payload,
      requeued_from: letter,
      requeued_at: null,
    },
  ]);
  expect(
    await rows("select outcome, next_dead_letter_id from persistence_retry_outcomes where retry_job_id = $1", id),
  ).toEqual([{ outcome: "died_again", next_dead_letter_id: judged?.deadLetterId }]);
  const [{ gold }] = await rows("select gold from reward_balances where character_id = $1", person.characterId);
  const dead = await rows("select sum(dead)::int as dead from persistence_retry_minute_counts where worker = 'third'");
  expect([gold, dead]).toEqual(["100", [{ dead: 1 }]]);
});

test("a recorded failure, and a release, take the suspicion away", async () => {
  const [id = ""] = await due(1);
  const lose = async (claim: Claim) => {
    await runOut(claim);
    await judgeLostClaims(pool);
  };
  await lose(await claimDue(pool, ask("a")));
  await lose(await claimSuspect(pool, ask("b")));
  expect(await lostLeasesOf(id)).toBe(2);
  const held = await claimSuspect(pool, ask("c"));
  expect(await releaseClaim(pool, held, held.jobs)).toEqual({ released: 1, stuck: [] });
  expect(await lostLeasesOf(id)).toBe(0);

  await pool.query("update persistence_retry_jobs set payload = '{}' where retry_job_id = $1", [id]);
  await lose(await claimDue(pool, ask("d")));
  expect(await settle(await claimSuspect(pool, ask("e")))).toBe("failed");
  expect(await lostLeasesOf(id)).toBe(0);
});

test("a lease without a token or an owner, as somebody else's worker may leave one, is judged too", async () => {
  const [id] = await due(1);
  await pool.query(
    "update persistence_retry_jobs set lease_expires_at = clock_timestamp() - interval '1 hour' where retry_job_id = $1",
    [id],
  );
  expect(await judgeLostClaims(pool)).toMatchObject([{ retryJobId: id, lostBy: "unknown", lostLeases: 1 }]);
});

test("a lost claim larger than one judgement is judged as one: still one suspect", async () => {
  await pool.query(
    `insert into persistence_retry_jobs
       (retry_job_id, job_kind, character_id, realm_id, payload, next_attempt_at, created_at, updated_at)
     select gen_random_uuid(), 'combat_rewards', $1, 'aurelia', '{}', clock_timestamp(), clock_timestamp(),
            clock_timestamp() from generate_series(1, 1500)`,
    [person.characterId],
  );
  await runOut(await claimDue(pool, ask("lost", 1_400)));
  let judged = 0;
  for (let rows = -1; rows !== 0; judged += rows) rows = (await judgeLostClaims(pool)).length;
  const [found] = await rows(
    "select count(*) filter (where lost_leases > 0)::int as suspects from persistence_retry_jobs",
  );
  expect([judged, found?.suspects]).toEqual([1_400, 1]);
});

test("a claim gives all its rows one expiry, on the store's clock", async () => {
  await due(3);
  const claim = await claimDue(pool, ask("w", 128, 2_000));
  const found = await rows(
    "select distinct lease_expires_at - clock_timestamp() < interval '2 seconds' as within from persistence_retry_jobs where lease_token = $1",
    claim.token,
  );
  expect(found).toEqual([{ within: true }]);
  const [{ n }] = await rows("select count(distinct lease_expires_at)::int as n from persistence_retry_jobs");
  expect(n).toBe(1);
});

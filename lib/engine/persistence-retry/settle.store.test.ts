import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RetrySettings } from "@/lib/config-engine";
import {
  insertJob,
  insertLetter,
  locationJob,
  newCharacter,
  newZone,
  type Person,
  rewardsJob,
} from "@/lib/engine/testing/maker";
import { retrySettings } from "@/lib/engine/testing/retry-settings";
import { untilBlocked } from "@/scripts/testing/forced-race";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { requeueOne } from ".";
import { type Claim, claimSignaled, claimSuspect } from "./claim";
import { createCounters } from "./counters";
import { judgeLostClaims } from "./judge-lost-claims";
import { persistDirectly } from "./persist";
import { persistRetryJobBestEffort } from "./persist-retry-job";

const SETTINGS = retrySettings({ backoffMs: 1_000, backoffCapMs: 3_000 });

const counters = createCounters();
let stores: TestStores;
let pool: pg.Pool;
beforeAll(async () => {
  stores = await openStores();
  pool = await stores.warmPool("engine", 6);
});
afterAll(() => stores.close());

async function row<T = Record<string, unknown>>(sql: string, ...values: unknown[]): Promise<T | undefined> {
  return (await pool.query(sql, values)).rows[0] as T | undefined;
}
const jobRow = (id: string) => row("select * from persistence_retry_jobs where retry_job_id = $1", id);
const outcomeOf = (id: string) => row("select * from persistence_retry_outcomes where retry_job_id = $1", id);
const character = (person: Person) =>
  row(
    `select version, zone_id, position_x::text as x, position_y::text as y,
            (select gold from reward_balances b where b.character_id = c.character_id) as gold,
            (select quantity from reward_items i where i.character_id = c.character_id) as shards,
            (select count(*)::int from reward_ledger l where l.character_id = c.character_id) as ledger
       from characters c where character_id = $1`,
    person.characterId,
  );
const staleSettles = async (worker: string) =>
  (
    await row<{ n: number }>(
      "select coalesce(sum(stale_settles), 0)::int as n from persistence_retry_minute_counts where worker = $1",
      worker,
    )
  )?.n;

/** A claim of exactly this job. */
async function claimOf(id: string, worker: string, leaseMs = 30_000): Promise<Claim> {
  return claimSignaled(pool, [id], { worker, leaseMs, rowsMax: 1 });
}
async function work(id: string, settings: RetrySettings = SETTINGS, worker = "w1") {
  const claim = await claimOf(id, worker);
  const [job] = claim.jobs;
  if (!job) throw new Error("not claimed");
  return persistRetryJobBestEffort({ pool, settings, counters }, claim, job);
}
const dueNow = (id: string) =>
  pool.query("update persistence_retry_jobs set next_attempt_at = clock_timestamp() where retry_job_id = $1", [id]);

test("a location overwrites, bumps the version, and leaves no row; its key is in the ledger", async () => {
  const person = await newCharacter(pool);
  const zoneId = await newZone(pool);
  const id = await insertJob(pool, locationJob(person, { zoneId, key: "loc-1", x: "9007199254740993.10" }));
  expect(await work(id)).toBe("done");
  expect(await character(person)).toMatchObject({ version: "8", zone_id: zoneId, x: "9007199254740993.10", y: "-3.5" });
  expect(await jobRow(id)).toBeUndefined();
  expect(await row("select * from persistence_applied_keys where idempotency_key = 'loc-1'")).toMatchObject({
    retry_job_id: id,
  });
});

test("rewards add to balance and items, exactly, above what a double holds", async () => {
  const person = await newCharacter(pool);
  for (const gold of ["9007199254740993", "240"]) {
    expect(await work(await insertJob(pool, rewardsJob(person, { gold })))).toBe("done");
  }
  expect(await character(person)).toMatchObject({
    version: "9",
    gold: "9007199254741333",
    shards: "4",
    ledger: 2,
  });
});

test("duplicate delivery of every kind: the state is as after one; a second job with the key is superseded", async () => {
  for (const make of [locationJob, rewardsJob]) {
    const person = await newCharacter(pool);
    const job = make(person);
    await work(await insertJob(pool, job));
    const once = await character(person);
    const letter = await insertLetter(pool, job);
    const requeued = await requeueOne(pool, { deadLetterId: letter, actor: "a" });
    if (requeued.kind !== "requeued") throw new Error(requeued.kind);
    expect(await work(requeued.retryJobId)).toBe("done");
    expect(await character(person)).toEqual(once);
    expect(await outcomeOf(requeued.retryJobId)).toMatchObject({ outcome: "superseded", dead_letter_id: letter });
  }
});

test("a direct write whose answer was lost is known by the retry as its own: recovered, written once", async () => {
  const person = await newCharacter(pool);
  const job = rewardsJob(person);
  const letter = await insertLetter(pool, job);
  const requeued = await requeueOne(pool, { deadLetterId: letter, actor: "a" });
  if (requeued.kind !== "requeued") throw new Error(requeued.kind);
  expect(await persistDirectly({ pool }, requeued.retryJobId, job)).toBe("applied");
  expect(await work(requeued.retryJobId)).toBe("done");
  expect(await character(person)).toMatchObject({ gold: "340", ledger: 1 });
  expect(await outcomeOf(requeued.retryJobId)).toMatchObject({ outcome: "recovered" });
});

test("a failure is the database's own, backs off doubling up to the cap, and clears the lease", async () => {
  const person = await newCharacter(pool);
  const id = await insertJob(pool, rewardsJob(person, { zoneId: "nowhere" }));
  const waits: unknown[] = [];
  const settings = { ...SETTINGS, attemptsMax: 9 };
  for (let tries = 0; tries < 4; tries += 1) {
    expect(await work(id, settings)).toBe("failed");
    const failed = await row(
      `select attempt_count, lease_token, lease_owner, lease_expires_at, last_error,
              round(extract(epoch from next_attempt_at - updated_at))::int as wait_s
         from persistence_retry_jobs where retry_job_id = $1`,
      id,
    );
    waits.push(failed?.wait_s);
    expect(failed).toMatchObject({
      attempt_count: tries + 1,
      lease_token: null,
      lease_owner: null,
      lease_expires_at: null,
    });
    expect(failed?.last_error).toBe(
      'ERROR 23503: insert or update on table "reward_ledger" violates foreign key constraint "reward_ledger_zone_id_fkey"\nDETAIL: Key (zone_id)=(nowhere) is not present in table "zone_catalog".',
    );
    await dueNow(id);
  }
  expect(waits).toEqual([1, 2, 3, 3]);
  expect(await character(person)).toMatchObject({ version: "7", gold: "100", shards: null, ledger: 0 });
});

test("at the limit a dead letter takes the row's place, bytes and columns as they were, tries kept", async () => {
  const person = await newCharacter(pool);
  const id = await insertJob(pool, locationJob(person, { zoneId: "nowhere" }));
  await pool.query(
    "update persistence_retry_jobs set source = 's', session_impact = 'None', session_token_hash = 'h' where retry_job_id = $1",
    [id],
  );
  const before = await jobRow(id);
  for (const ending of ["failed", "failed", "dead"]) {
    expect(await work(id)).toBe(ending);
    await dueNow(id);
  }
  expect(await jobRow(id)).toBeUndefined();
  const letter = await row("select * from persistence_job_dead_letters where retry_job_id = $1", id);
  expect(letter).toMatchObject({
    job_kind: "character_location",
    character_id: person.characterId,
    realm_id: "aurelia",
    zone_id: "nowhere",
    payload: before?.payload,
    failed_attempts: 3,
    requeued_at: null,
    source: "s",
    session_impact: "None",
    session_token_hash: "h",
    requeued_from: null,
  });
  const { rows: tries } = await pool.query(
    "select attempt, worker, error from persistence_retry_attempts where retry_job_id = $1 order by attempt",
    [id],
  );
  expect(tries.map((each) => each.attempt)).toEqual([1, 2, 3]);
  expect(tries.every((each) => each.worker === "w1" && each.error === letter?.error)).toBe(true);
  expect(await outcomeOf(id)).toBeUndefined();
});

test("a requeued job tells its outcome: recovered with its try, or died again into the next letter", async () => {
  const person = await newCharacter(pool);
  for (const [job, outcome] of [
    [rewardsJob(person), "recovered"],
    [rewardsJob(person, { zoneId: "nowhere" }), "died_again"],
  ] as const) {
    const letter = await insertLetter(pool, job);
    const requeued = await requeueOne(pool, { deadLetterId: letter, actor: "a" });
    if (requeued.kind !== "requeued") throw new Error(requeued.kind);
    const id = requeued.retryJobId;
    const { operation_id } = (await jobRow(id)) as { operation_id: string };
    await work(id, { ...SETTINGS, attemptsMax: 1 });
    const next = await row("select * from persistence_job_dead_letters where retry_job_id = $1", id);
    expect(await outcomeOf(id)).toMatchObject({
      outcome,
      dead_letter_id: letter,
      operation_id,
      next_dead_letter_id: next?.dead_letter_id ?? null,
    });
    expect(next?.requeued_from ?? letter).toBe(letter);
    const tries = await row("select count(*)::int as n from persistence_retry_attempts where retry_job_id = $1", id);
    expect(tries).toEqual({ n: 1 });
  }
});

test("an undecodable payload uses up its attempts and dies, with the reason", async () => {
  const person = await newCharacter(pool);
  const id = await insertJob(pool, rewardsJob(person), "due", { payload: '{"payload": {"kind": "gold_rush"}}' });
  for (let tries = 0; tries < 3; tries += 1) {
    await work(id);
    await dueNow(id);
  }
  const letter = await row("select error, payload from persistence_job_dead_letters where retry_job_id = $1", id);
  expect(letter?.error).toMatch(/^UNDECODABLE: .*session_impact/);
  expect(letter?.payload).toBe('{"payload": {"kind": "gold_rush"}}');
});

test("an unknown character: rewards fail at a foreign key, a location is told that there is nobody", async () => {
  const nobody = { ...(await newCharacter(pool)), characterId: crypto.randomUUID() };
  const elsewhere = { ...(await newCharacter(pool)), realmId: "thornmark" };
  for (const person of [nobody, elsewhere]) {
    const [reward, location] = [await insertJob(pool, rewardsJob(person)), await insertJob(pool, locationJob(person))];
    await work(reward);
    await work(location);
    expect((await jobRow(reward))?.last_error).toMatch(/^ERROR 23503: .*reward_ledger_character_id_realm_id_fkey/);
    expect((await jobRow(location))?.last_error).toMatch(/^NOT FOUND: character .* is not in realm/);
  }
});

test("a worker frozen past its lease changes nothing when it thaws, and is counted", async () => {
  const person = await newCharacter(pool);
  const id = await insertJob(pool, rewardsJob(person));
  const frozen = await claimOf(id, "frozen", 300);
  await sleep(400);
  expect((await judgeLostClaims(pool)).map((lost) => [lost.retryJobId, lost.lostBy])).toEqual([[id, "frozen"]]);
  expect((await claimSuspect(pool, { worker: "heir", leaseMs: 30_000 })).jobs).toHaveLength(1);
  const before = await jobRow(id);
  const [job] = frozen.jobs;
  if (!job) throw new Error("not claimed");
  expect(await persistRetryJobBestEffort({ pool, settings: SETTINGS, counters }, frozen, job)).toBe("stale");
  expect(await jobRow(id)).toEqual(before);
  expect(await character(person)).toMatchObject({ version: "7", gold: "100", ledger: 0 });
  expect(await staleSettles("frozen")).toBe(1);
});

test("a settle whose lease ran out while it applied rolls its write back, and is counted", async () => {
  const person = await newCharacter(pool);
  const id = await insertJob(pool, rewardsJob(person, { key: "late-1" }));
  const claim = await claimOf(id, "late", 600);
  const holder = await pool.connect();
  await holder.query("begin");
  await holder.query("select 1 from characters where character_id = $1 for update", [person.characterId]);
  const [job] = claim.jobs;
  if (!job) throw new Error("not claimed");
  // A margin below zero: a server without transaction_timeout, where a write may outlast its lease.
  const settling = persistRetryJobBestEffort(
    { pool, settings: { ...SETTINGS, leaseMarginMs: -8_000 }, counters },
    claim,
    job,
  );
  await untilBlocked(holder, 1);
  await sleep(700);
  await holder.query("rollback");
  holder.release();
  expect(await settling).toBe("stale");
  expect(await character(person)).toMatchObject({ version: "7", gold: "100", ledger: 0 });
  expect(await row("select 1 from persistence_applied_keys where idempotency_key = 'late-1'")).toBeUndefined();
  expect(await jobRow(id)).toMatchObject({ attempt_count: 0 });
  expect(await staleSettles("late")).toBe(1);
});

test("a failure whose lease ran out is not recorded either", async () => {
  const person = await newCharacter(pool);
  const id = await insertJob(pool, rewardsJob(person, { zoneId: "nowhere" }));
  const claim = await claimOf(id, "late-failure", 600);
  const holder = await pool.connect();
  await holder.query("begin");
  await holder.query("select 1 from characters where character_id = $1 for update", [person.characterId]);
  const [job] = claim.jobs;
  if (!job) throw new Error("not claimed");
  const settling = persistRetryJobBestEffort(
    { pool, settings: { ...SETTINGS, leaseMarginMs: -8_000 }, counters },
    claim,
    job,
  );
  await untilBlocked(holder, 1);
  await sleep(700);
  await holder.query("rollback");
  holder.release();
  expect(await settling).toBe("stale");
  expect(await jobRow(id)).toMatchObject({ attempt_count: 0, last_error: null });
  expect(await staleSettles("late-failure")).toBe(1);
});

test("a row is not started on a lease that covers no whole write", async () => {
  const id = await insertJob(pool, rewardsJob(await newCharacter(pool)));
  const claim = await claimOf(id, "short", 9_000);
  const [job] = claim.jobs;
  if (!job) throw new Error("not claimed");
  expect(await persistRetryJobBestEffort({ pool, settings: SETTINGS, counters }, claim, job)).toBe("short");
  expect(await jobRow(id)).toMatchObject({ attempt_count: 0, lease_owner: "short" });
});

test("a write that takes too long is ended by the server and counts as a failure of the job", async () => {
  const person = await newCharacter(pool);
  const id = await insertJob(pool, locationJob(person));
  const holder = await pool.connect();
  await holder.query("begin");
  await holder.query("select 1 from characters where character_id = $1 for update", [person.characterId]);
  expect(await work(id, { ...SETTINGS, transactionTimeoutMs: 300 })).toBe("failed");
  await holder.query("rollback");
  holder.release();
  expect((await jobRow(id))?.last_error).toMatch(/^ERROR 55P03: canceling statement due to lock timeout/);
});

import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WakeSignal } from "@/lib/engine/durable/wake-signal";
import { insertJob, insertLetter, newCharacter, type Person, rewardsJob } from "@/lib/engine/testing/maker";
import { retrySettings } from "@/lib/engine/testing/retry-settings";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { requeueBatch } from ".";
import { claimSignaled } from "./claim";
import { createCounters } from "./counters";
import { persistRetryJobBestEffort } from "./persist-retry-job";
import { newRetryJob, queuePersistenceRetryJobDurableWithMetrics } from "./queue";
import { pruneTraces } from "./retention";

let stores: TestStores;
let pool: pg.Pool;
let person: Person;
beforeAll(async () => {
  stores = await openStores();
  pool = stores.pool("engine");
  person = await newCharacter(pool);
});
afterAll(() => stores.close());

const rows = async (text: string, ...values: unknown[]) => (await pool.query(text, values)).rows;
const columnsOf = async (table: string) =>
  Object.fromEntries(
    (
      await rows(
        `select column_name as name, udt_name || case is_nullable when 'YES' then ' null' else '' end as type
           from information_schema.columns where table_name = $1`,
        table,
      )
    ).map(({ name, type }) => [name, type]),
  );

const OURS = {
  source: "text null",
  session_impact: "text null",
  session_token_hash: "text null",
  requeued_from: "uuid null",
  operation_id: "uuid null",
};

test("a retry job has the seed's columns, and ours beside them, each of which may be null", async () => {
  expect(await columnsOf("persistence_retry_jobs")).toEqual({
    retry_job_id: "uuid",
    job_kind: "text",
    character_id: "uuid",
    realm_id: "text",
    zone_id: "text null",
    payload: "text",
    last_error: "text null",
    attempt_count: "int4",
    next_attempt_at: "timestamptz",
    lease_token: "uuid null",
    lease_owner: "text null",
    lease_expires_at: "timestamptz null",
    created_at: "timestamptz",
    updated_at: "timestamptz",
    ...OURS,
    lost_leases: "int4 null",
  });
});

test("a dead letter has the seed's columns, and ours beside them, each of which may be null", async () => {
  expect(await columnsOf("persistence_job_dead_letters")).toEqual({
    dead_letter_id: "uuid",
    retry_job_id: "uuid",
    job_kind: "text",
    character_id: "uuid",
    realm_id: "text",
    zone_id: "text null",
    payload: "text",
    failed_attempts: "int4",
    error: "text",
    dead_lettered_at: "timestamptz",
    requeued_at: "timestamptz null",
    requeued_retry_job_id: "uuid null",
    ...OURS,
  });
});

test("no generated column, check or cast can refuse a payload: a durable write goes in whatever it says", async () => {
  const [found] = await rows(
    `select (select count(*)::int from pg_attribute where attrelid = 'persistence_retry_jobs'::regclass and attgenerated <> '') as generated,
            (select count(*)::int from pg_constraint where conrelid = 'persistence_retry_jobs'::regclass and contype = 'c') as checks`,
  );
  expect(found).toEqual({ generated: 0, checks: 0 });
  const deps = { pool, signal: new WakeSignal(64), counters: createCounters() };
  for (const payload of ['{"a":"\\ud800"}', "not JSON", "", "[1e400]", "🜂\u202e", `"${"x".repeat(1_000_000)}"`]) {
    const job = { ...newRetryJob(randomUUID(), rewardsJob(person), null), payload };
    expect(await queuePersistenceRetryJobDurableWithMetrics(deps, job)).toEqual({ kind: "signaled" });
    const [row] = await rows("select payload from persistence_retry_jobs where retry_job_id = $1", job.retryJobId);
    expect(row.payload === payload).toBe(true);
  }
});

test("what is beside a payload is written with it, and copied on requeue, with where it came from and by which operation", async () => {
  const deadLetterId = await insertLetter(pool, rewardsJob(person));
  await pool.query(
    "update persistence_job_dead_letters set source = 's', session_impact = 'SessionDegraded', session_token_hash = 'h' where dead_letter_id = $1",
    [deadLetterId],
  );
  const operationId = randomUUID();
  await requeueBatch(pool, { operationId, actor: "a", items: [{ dead_letter_id: deadLetterId }] });
  expect(
    await rows(
      `select source, session_impact, session_token_hash, operation_id, attempt_count, next_attempt_at <= clock_timestamp() as due
         from persistence_retry_jobs where requeued_from = $1`,
      deadLetterId,
    ),
  ).toEqual([
    {
      source: "s",
      session_impact: "SessionDegraded",
      session_token_hash: "h",
      operation_id: operationId,
      attempt_count: 0,
      due: true,
    },
  ]);
});

test("tries are kept of a job up to a hundred, however often it fails", async () => {
  const id = await insertJob(pool, rewardsJob(person, { zoneId: "nowhere" }), "due", { attempts: 98 });
  const deps = { pool, settings: retrySettings({ attemptsMax: 1_000 }), counters: createCounters() };
  for (let tries = 0; tries < 4; tries += 1) {
    await pool.query("update persistence_retry_jobs set next_attempt_at = clock_timestamp() where retry_job_id = $1", [
      id,
    ]);
    const claim = await claimSignaled(pool, [id], { worker: "w", leaseMs: 30_000, rowsMax: 1 });
    const [job] = claim.jobs;
    if (!job) throw new Error("not claimed");
    expect(await persistRetryJobBestEffort(deps, claim, job)).toBe("failed");
  }
  const kept = await rows("select attempt from persistence_retry_attempts where retry_job_id = $1 order by 1", id);
  expect(kept.map((row) => row.attempt)).toEqual([99, 100]);
  const [row] = await rows("select attempt_count from persistence_retry_jobs where retry_job_id = $1", id);
  expect(row.attempt_count).toBe(102);
});

test("nothing ever removes a dead letter, requeued or not, however old", async () => {
  const [active, requeued] = [
    await insertLetter(pool, rewardsJob(person)),
    await insertLetter(pool, rewardsJob(person)),
  ];
  await pool.query(
    `update persistence_job_dead_letters set dead_lettered_at = '2001-01-01',
            requeued_at = case when dead_letter_id = $2 then '2001-01-02'::timestamptz end
      where dead_letter_id in ($1, $2)`,
    [active, requeued],
  );
  await pruneTraces(pool, { appliedKeysDays: 90 });
  const left = await rows(
    "select 1 from persistence_job_dead_letters where dead_letter_id in ($1, $2)",
    active,
    requeued,
  );
  expect(left).toHaveLength(2);
});

import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertLetter, newCharacter, rewardsJob } from "@/lib/engine/testing/maker";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { pruneTraces } from "./retention";

let stores: TestStores;
let pool: pg.Pool;
beforeAll(async () => {
  stores = await openStores();
  pool = stores.pool("engine");
});
afterAll(() => stores.close());

const count = async (table: string) => (await pool.query(`select count(*)::int as n from ${table}`)).rows[0].n;

test("traces go after 30 days and keys after theirs, however many; the tries of an active letter stay", async () => {
  const letter = await insertLetter(pool, rewardsJob(await newCharacter(pool)));
  const [{ retry_job_id: job }] = (
    await pool.query("select retry_job_id from persistence_job_dead_letters where dead_letter_id = $1", [letter])
  ).rows;
  await pool.query(
    `insert into persistence_applied_keys select 'old-' || n, gen_random_uuid(), clock_timestamp() - interval '91 days'
       from generate_series(1, 2500) as n;
     insert into persistence_applied_keys select 'new-' || n, gen_random_uuid(), clock_timestamp() - interval '89 days'
       from generate_series(1, 10) as n;
     insert into persistence_retry_outcomes (retry_job_id, dead_letter_id, outcome, settled_at)
       select gen_random_uuid(), gen_random_uuid(), 'recovered', clock_timestamp() - make_interval(days => n)
       from unnest(array[29, 31]) as n;
     insert into persistence_retry_operations (operation_id, dead_letter_id, answer, answered_at)
       select gen_random_uuid(), gen_random_uuid(), '{}', clock_timestamp() - make_interval(days => n)
       from unnest(array[29, 31]) as n;
     insert into persistence_retry_minute_counts (minute, job_kind, worker)
       select clock_timestamp() - make_interval(days => n), 'k', 'w' from unnest(array[29, 31]) as n;`,
  );
  await pool.query(
    `insert into persistence_retry_attempts (retry_job_id, attempt, started_at, duration_ms, worker)
     select id, 1, clock_timestamp() - interval '40 days', 5, 'w' from unnest(array[$1::uuid, gen_random_uuid()]) as id`,
    [job],
  );
  expect(await pruneTraces(pool, { appliedKeysDays: 90 })).toBe(2_500 + 4);
  expect(await count("persistence_applied_keys")).toBe(10);
  expect(await count("persistence_retry_outcomes")).toBe(1);
  expect(await count("persistence_retry_operations")).toBe(1);
  expect(await count("persistence_retry_minute_counts")).toBe(1);
  expect((await pool.query("select retry_job_id from persistence_retry_attempts")).rows).toEqual([
    { retry_job_id: job },
  ]);
  await pool.query("update persistence_job_dead_letters set requeued_at = clock_timestamp()");
  expect(await pruneTraces(pool, { appliedKeysDays: 90 })).toBe(1);
});

import type pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { type Bundle, bundleEngine } from "@/scripts/testing/bundle-program";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { until } from "@/scripts/testing/until";
import type { Failpoint } from "./failpoint";
import type { KindName } from "./persistence-retry/kinds";
import { effectState, stateAfterOne } from "./testing/effect-state";
import { type EngineProcess, startEngineProcess } from "./testing/engine-process";
import { insertJob, newCharacter, rewardsJob } from "./testing/maker";
import { ONE_OF_EACH_KIND } from "./testing/one-of-each-kind";
import { insertPoison, SMALL_HEAP } from "./testing/poison";
import { takeOver } from "./testing/take-over";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let stores: TestStores;
let pool: pg.Pool;
let bundle: Bundle;
let engine: EngineProcess | null = null;
beforeAll(async () => {
  stores = await openStores();
  pool = stores.pool("engine");
  bundle = await bundleEngine();
});
afterEach(async () => {
  engine?.kill("SIGKILL");
  await engine?.ended;
});
afterAll(async () => {
  bundle.remove();
  await stores.close();
});

function start(env: Record<string, string> = {}): EngineProcess {
  const settings = {
    BACKSTOP_ENGINE_DATABASE_URL: stores.postgresUrl("engine"),
    BACKSTOP_RPC_KEYS: stores.rpcKeys,
    PERSISTENCE_RETRY_POLL_MILLIS: "50",
    PERSISTENCE_RETRY_TRANSACTION_MILLIS: "1000",
    PERSISTENCE_RETRY_BACKOFF_MILLIS: "20",
  };
  engine = startEngineProcess({ ...settings, ...env }, { program: bundle.program });
  return engine;
}
const one = async (sql: string, ...values: unknown[]) => (await pool.query(sql, values)).rows[0];
const waiting = async () => (await one("select count(*)::int as n from persistence_retry_jobs")).n as number;

// Every kind and every point that a worker comes by; all of the 54 pairs are cut on the wire beside this, and killed by
// `npm run chaos`.
const KILLS: [KindName, Failpoint][] = [
  ["character_location", "claim.after"],
  ["character_appearance", "apply.before"],
  ["character_equipment", "apply.after"],
  ["gameplay_state", "settle.before_commit"],
  ["combat_rewards", "settle.after_commit"],
  ["transfer_activation", "failure.before_commit"],
];

test.each(KILLS)("%s, its process killed at %s and delivered once more: as after one delivery", async (kind, point) => {
  const person = await newCharacter(pool);
  const job = await ONE_OF_EACH_KIND[kind](pool, person);
  const once = await stateAfterOne(pool, job);
  const holder = await pool.connect();
  await holder.query("begin");
  // It can fail only while somebody holds the character.
  if (point === "failure.before_commit")
    await holder.query("select 1 from characters where character_id = $1 for update", [person.characterId]);
  await insertJob(pool, job);
  const killed = start({ BACKSTOP_FAILPOINTS: `${point}=kill` });
  expect(await killed.ended).toBe("SIGKILL");
  await holder.query("rollback");
  holder.release();
  await takeOver(pool);
  await insertJob(pool, job);
  await takeOver(pool);
  expect(await effectState(pool, person.characterId)).toEqual(once);
  expect(await one("select count(*)::int as n from persistence_job_dead_letters")).toEqual({ n: 0 });
});

test("a payload that kills its process: dead, unrun, after three lost leases; the rest of its batch was done after the first", async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => newCharacter(pool)));
  const [poisoned, ...others] = people;
  if (!poisoned) throw new Error("nobody");
  for (const person of others.slice(0, 2)) await insertJob(pool, rewardsJob(person));
  const poison = await insertPoison(pool, poisoned);
  for (const person of others.slice(2)) await insertJob(pool, rewardsJob(person));
  const paid = async () =>
    (
      await one(
        "select count(*)::int as n from reward_balances where gold = 340 and character_id = any($1)",
        others.map((person) => person.characterId),
      )
    ).n;
  const lost = async () =>
    (await one("select coalesce(lost_leases, 0) as n from persistence_retry_jobs where retry_job_id = $1", poison))?.n;
  const die = async () => {
    const how = await start({ NODE_OPTIONS: SMALL_HEAP }).ended;
    expect(["SIGABRT", "SIGKILL", 134]).toContain(how);
    // Nobody waits 30 s for it to run out.
    await pool.query(
      "update persistence_retry_jobs set lease_expires_at = statement_timestamp() where lease_token is not null",
    );
  };
  await die();
  expect([await paid(), await lost()]).toEqual([2, 0]);
  await die();
  expect([await paid(), await lost()]).toEqual([5, 1]);
  await die();
  expect([await paid(), await lost()]).toEqual([5, 2]);

  const last = start({ NODE_OPTIONS: SMALL_HEAP });
  const letter = await last.event("dead_letter");
  expect(letter).toMatchObject({ retry_job_id: poison, lost_leases: 3 });
  expect(
    await one("select error, failed_attempts from persistence_job_dead_letters where retry_job_id = $1", poison),
  ).toEqual({ error: "poison: 3 leases lost without a recorded failure", failed_attempts: 0 });
  // The process that buried it works on.
  await insertJob(pool, rewardsJob(poisoned));
  await until(async () => (await waiting()) === 0);
  expect((await one("select gold from reward_balances where character_id = $1", poisoned.characterId)).gold).toBe(
    "340",
  );
});

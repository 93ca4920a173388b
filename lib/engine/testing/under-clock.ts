import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type pg from "pg";
import { createRpcClient } from "@/lib/internal-rpc/client";
import { parseRpcKeys } from "@/lib/internal-rpc/keys";
import { startEngineProcess } from "./engine-process";
import { insertJob, newCharacter, newZone, rewardsJob } from "./maker";

export type ClockGiven = {
  pool: pg.Pool;
  databaseUrl: string;
  rpcKeys: string;
  /** By how much the engine's wall clock is wrong. */
  shiftMs: number;
  program?: readonly string[] | undefined;
};

const LEASE_MS = 4_000;
const BACKOFF_MS = 200;
const PRELOAD = pathToFileURL("lib/engine/testing/shifted-date.mjs").href;

/**
 * An engine whose wall clock is wrong claims, retries, buries, and answers requeues. Answers what came of it: the end
 * state, and whether each time that it stored is true by the store's own clock. It must be the same for every shift.
 */
export async function workUnderClock(given: ClockGiven): Promise<Record<string, unknown>> {
  const { pool, rpcKeys, shiftMs } = given;
  const one = async (sql: string, ...values: unknown[]) => (await pool.query(sql, values)).rows[0];
  const untilSo = async (sql: string, ...values: unknown[]) => {
    for (let tries = 0; tries < 1_200; tries += 1, await sleep(25)) if ((await one(sql, ...values))?.so) return;
    throw new Error(`not within 30 s: ${sql}`);
  };
  const { began } = await one("select clock_timestamp()::text as began");
  const person = await newCharacter(pool);
  const { characterId } = person;
  const zoneId = `later_${characterId.slice(0, 8)}`;
  for (const state of ["due", "expired", "scheduled", "leased"] as const)
    await insertJob(pool, rewardsJob(person), state);
  await insertJob(pool, rewardsJob(person, { zoneId }));

  const engine = startEngineProcess(
    {
      BACKSTOP_ENGINE_DATABASE_URL: given.databaseUrl,
      BACKSTOP_RPC_KEYS: rpcKeys,
      BACKSTOP_FAILPOINTS: "claim.after=pause:300@1",
      NODE_OPTIONS: `--import=${PRELOAD}?ms=${shiftMs}`,
      PERSISTENCE_RETRY_POLL_MILLIS: "50",
      PERSISTENCE_RETRY_LIMIT: "2",
      PERSISTENCE_RETRY_BACKOFF_MILLIS: String(BACKOFF_MS),
      PERSISTENCE_RETRY_LEASE_MILLIS: String(LEASE_MS),
      PERSISTENCE_RETRY_TRANSACTION_MILLIS: "1000",
    },
    given.program ? { program: given.program } : {},
  );
  try {
    const paused = await engine.event("failpoint");
    const leases = await one(
      `select bool_and(lease_expires_at - clock_timestamp() between interval '0' and make_interval(secs => $2)) as right
         from persistence_retry_jobs where character_id = $1 and lease_owner like 'engine-%'`,
      characterId,
      LEASE_MS / 1_000,
    );
    const client = createRpcClient({
      engineUrl: `http://127.0.0.1:${await engine.ready}`,
      audience: "engine.backstop.internal",
      keys: parseRpcKeys(rpcKeys),
    });
    const LETTER = `from persistence_job_dead_letters where character_id = '${characterId}' and requeued_at is null`;
    const letter = async () => {
      await untilSo(`select count(*) > 0 as so ${LETTER}`);
      return (await one(`select dead_letter_id ${LETTER}`)).dead_letter_id as string;
    };
    const first = await client.requeueOne(await letter(), { operationId: crypto.randomUUID(), actor: "a" });
    const again = await letter();
    await newZone(pool, zoneId);
    const second = await client.requeueBatch(crypto.randomUUID(), [{ dead_letter_id: again }], "a");
    await untilSo("select count(*) = 2 as so from persistence_retry_jobs where character_id = $1", characterId);
    const { rows } = await pool.query(TIMES, [characterId, began]);
    return {
      requeues: [first.kind, second.kind === "ok" ? second.value.answers.map(({ answer }) => answer) : second.kind],
      leases: leases.right,
      left: await one(LEFT, characterId),
      outcomes: (await pool.query(OUTCOMES, [characterId])).rows.map((row) => row.outcome),
      backoff: await one(BACKOFF, characterId, BACKOFF_MS / 1_000),
      gold: (await one("select gold::text from reward_balances where character_id = $1", characterId)).gold,
      times: Object.fromEntries(rows.map((row) => [row.what, row.true_])),
      // Only the log may be wrong, and is: the shift was really there.
      logIsWrongByMinutes: Math.round((Date.parse(String(paused.at)) - Date.now()) / 60_000) || 0,
    };
  } finally {
    engine.kill("SIGKILL");
    await engine.ended;
  }
}

// $1 character. What waits for later and what somebody else holds is untouched.
const LEFT = `
  select count(*) filter (where next_attempt_at > clock_timestamp() + interval '9 minutes' and lease_token is null)::int as scheduled,
         count(*) filter (where lease_expires_at > clock_timestamp() + interval '9 minutes')::int as leased, count(*)::int as all
    from persistence_retry_jobs where character_id = $1`;

const OUTCOMES = `
  select o.outcome from persistence_retry_outcomes o join persistence_job_dead_letters l using (dead_letter_id)
   where l.character_id = $1 order by o.settled_at`;

// $1 character · $2 backoff, s: between the first try of the failing job and its second.
const BACKOFF = `
  select bool_and(b.started_at - a.started_at between make_interval(secs => $2) and interval '20 seconds') as right, count(*)::int as tries
    from persistence_retry_attempts a
    join persistence_retry_attempts b on b.retry_job_id = a.retry_job_id and a.attempt = 1 and b.attempt = 2
    join persistence_job_dead_letters l on l.retry_job_id = a.retry_job_id
   where l.character_id = $1`;

// $1 character · $2 when it began. Each time that the engine stored lies between then and now.
const TIMES = `
  with letters as (select * from persistence_job_dead_letters where character_id = $1), times (what, at) as (
    select 'dead_lettered_at', dead_lettered_at from letters
    union all select 'requeued_at', requeued_at from letters
    union all select 'settled_at', settled_at from persistence_retry_outcomes where dead_letter_id in (select dead_letter_id from letters)
    union all select 'started_at', started_at from persistence_retry_attempts where retry_job_id in (select retry_job_id from letters)
    union all select 'answered_at', answered_at from persistence_retry_operations where dead_letter_id in (select dead_letter_id from letters)
    union all select 'applied_at', applied_at from persistence_applied_keys k
      join reward_ledger g using (idempotency_key) where g.character_id = $1
    union all select 'granted_at', granted_at from reward_ledger where character_id = $1
    union all select 'changed_at', changed_at from characters where character_id = $1
  )
  select what, bool_and(at between $2::timestamptz and clock_timestamp()) as true_ from times group by what order by what`;

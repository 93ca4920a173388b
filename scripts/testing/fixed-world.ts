import { createHash } from "node:crypto";
import type { Pool } from "pg";
import { makeZone, payloadOf, REALM } from "./game";
import { until } from "./until";

/**
 * The same rows each time, for pictures and for what is checked on every page: jobs of each state, letters of each
 * state, one letter that is safe, one with warnings, one that is blocked and one that took its workers with it. Ids are
 * fixed, times relative to now.
 */
export type FixedWorld = { safe: string; warned: string; blocked: string; poison: string; recovered: string };

const NAMES = [
  "Brannoch",
  "Sylvaine",
  "Korrigan",
  "Ondine",
  "Tavish",
  "Marrow",
  "Elowen",
  "Pell",
  "Ravik",
  "Istra",
  "Quill",
  "Hadrun",
  "Corvane",
  "Nym",
];

/** A version 7 look: time first, so that ids sort as they would. */
function uuid(name: string): string {
  const hex = createHash("sha256").update(name).digest("hex");
  return `019a7f2c-${hex.slice(0, 4)}-7${hex.slice(4, 7)}-9${hex.slice(7, 10)}-${hex.slice(10, 22)}`;
}

const ERRORS = [
  'ERROR 23503: insert or update on table "reward_ledger" violates foreign key constraint "reward_ledger_zone_id_fkey"\nDETAIL: Key (zone_id)=(ashfall-caldera) is not present in table "zone_catalog".',
  'ERROR 23503: insert or update on table "characters" violates foreign key constraint "characters_zone_id_fkey"\nDETAIL: Key (zone_id)=(ashfall-caldera) is not present in table "zone_catalog".',
  "ERROR 55P03: canceling statement due to lock timeout",
];

type Job = {
  attempts: number;
  next: string;
  lease: string | null;
  age: string;
  impact?: "None" | "SessionDegraded";
  lost?: number;
};

const JOBS: Job[] = [
  { attempts: 2, next: "-40 seconds", lease: "-147 seconds", age: "9 minutes 48 seconds", impact: "None" },
  { attempts: 1, next: "-40 seconds", lease: "-147 seconds", age: "9 minutes 31 seconds" },
  { attempts: 3, next: "-10 seconds", lease: "28 seconds", age: "6 minutes 40 seconds", impact: "SessionDegraded" },
  { attempts: 7, next: "-10 seconds", lease: "24 seconds", age: "6 minutes 12 seconds", impact: "SessionDegraded" },
  { attempts: 1, next: "-10 seconds", lease: "12 seconds", age: "2 minutes 9 seconds", impact: "None" },
  { attempts: 3, next: "1 hour", lease: null, age: "5 minutes 55 seconds", impact: "SessionDegraded" },
  { attempts: 2, next: "1 hour", lease: null, age: "74 seconds", impact: "SessionDegraded" },
  { attempts: 0, next: "1 hour", lease: null, age: "48 seconds" },
  { attempts: 1, next: "-1 second", lease: null, age: "41 seconds", impact: "None", lost: 2 },
  { attempts: 0, next: "-1 second", lease: null, age: "3 seconds", impact: "None" },
];

const kindOf = (index: number) => (index % 3 === 1 ? ("character_location" as const) : ("combat_rewards" as const));

const POLLED = `
  select count(*) > 0 as there, count(*) filter (where state = 'idle' and query like '%lost_leases > 0%') > 0 as polled
    from pg_stat_activity where application_name = 'engine-worker'`;
/** Looks without any connection of the worker after which its poll is long over: it is closed when it was idle for a while. */
const GONE = 150;

/** The quiet engine polls once: what is there by then is judged, claimed and worked off, and counted by the minute. */
async function untilPolled(engine: Pool): Promise<void> {
  await until(
    async () => (await engine.query("select to_regclass('reward_ledger') is not null as made")).rows[0]?.made,
    60_000,
  );
  let gone = 0;
  await until(async () => {
    const { there, polled } = (await engine.query(POLLED)).rows[0];
    gone = there ? 0 : gone + 1;
    return polled || gone > GONE;
  }, 60_000);
}

/** Fills an empty database, as soon as the engine has made its tables and polled them. */
export async function makeFixedWorld(engine: Pool): Promise<FixedWorld> {
  await untilPolled(engine);
  await makeZone(engine, "harbour", "Harbour");
  await makeZone(engine, "ashfall-caldera", "Ashfall Caldera");
  for (const [index, name] of NAMES.entries()) await character(engine, index, name);
  for (const [index, job] of JOBS.entries()) await retryJob(engine, index, job);
  await minuteCounts(engine);
  const letters: string[] = [];
  for (let index = 0; index < 24; index += 1) letters.push(await letter(engine, index));
  // Letter 1's character moved on since; letter 2's write took effect by another job.
  await engine.query(
    "update characters set version = 9, position_x = 55.25, changed_at = clock_timestamp() where character_id = $1",
    [uuid("character 1")],
  );
  await engine.query("insert into persistence_applied_keys values ($1, $2, clock_timestamp() - interval '4 minutes')", [
    "fixed-key-2",
    uuid("other job"),
  ]);
  await tookItsWorkers(engine, 3);
  await requeued(engine, 15, "recovered");
  await requeued(engine, 16, "superseded");
  await requeued(engine, 17, "died_again");
  const id = (index: number) => letters[index] ?? "";
  return { safe: id(0), warned: id(1), blocked: id(2), poison: id(3), recovered: id(15) };
}

async function character(engine: Pool, index: number, name: string): Promise<void> {
  const id = uuid(`character ${index}`);
  await engine.query(
    `insert into characters (character_id, realm_id, name, version, zone_id, position_x, position_y, position_z, changed_at)
     values ($1, $2, $3, 7, 'harbour', 1, 2, 3, clock_timestamp() - interval '1 hour')`,
    [id, REALM, name],
  );
  await engine.query("insert into reward_balances values ($1, 3112, clock_timestamp())", [id]);
}

async function retryJob(engine: Pool, index: number, job: Job): Promise<void> {
  const characterId = uuid(`character ${4 + (index % 10)}`);
  const kind = kindOf(index);
  const { payload } = payloadOf({ kind, characterId, key: `fixed-job-${index}` });
  await engine.query(
    `insert into persistence_retry_jobs (retry_job_id, job_kind, character_id, realm_id, zone_id, payload, last_error, attempt_count,
       next_attempt_at, lease_token, lease_owner, lease_expires_at, created_at, updated_at,
       session_impact, lost_leases)
     select $1, $2, $3, $4, 'harbour', $5, $6, $7, clock_timestamp() + $8::interval, $9, $10, clock_timestamp() + $11::interval,
       clock_timestamp() - $12::interval, clock_timestamp(), $13, $14`,
    [
      uuid(`job ${index}`),
      kind,
      characterId,
      REALM,
      payload,
      job.attempts > 0 ? ERRORS[index % 3] : null,
      job.attempts,
      job.next,
      job.lease === null ? null : uuid(`token ${index}`),
      job.lease === null ? null : `persist-6d9c-${index % 2 === 0 ? "k2x7f" : "b5r6d"}`,
      job.lease,
      job.age,
      job.impact ?? null,
      job.lost ?? null,
    ],
  );
}

/** What three workers counted in the last quarter of an hour; the second lost its leases 3 minutes ago, and is gone. */
async function minuteCounts(engine: Pool): Promise<void> {
  await engine.query(
    `insert into persistence_retry_minute_counts (minute, job_kind, worker, done, failed, lost_leases, stale_settles)
     select date_trunc('minute', now()) - n * interval '1 minute', 'combat_rewards', worker,
         case when n >= gone then 8 + (n * 7 + gone) % 9 else 0 end, case when n >= gone then (n * 5) % 3 else 0 end,
         case when n = gone - 1 then 2 else 0 end, case when worker = 'persist-6d9c-m4q8z' and n = 9 then 1 else 0 end
       from generate_series(0, 14) n,
         (values ('persist-6d9c-k2x7f', 0), ('persist-6d9c-b5r6d', 4), ('persist-6d9c-m4q8z', 0)) w (worker, gone)`,
  );
}

async function letter(engine: Pool, index: number): Promise<string> {
  const characterId = uuid(`character ${index < 4 ? index : 4 + (index % 10)}`);
  const kind = kindOf(index);
  const minutes = 4 + index * 3;
  const issuedAt = new Date(Date.now() - minutes * 60_000 - 20_000).toISOString();
  const { payload } = payloadOf({ kind, characterId, key: `fixed-key-${index}`, issuedAt });
  const [letterId, jobId] = [uuid(`letter ${index}`), uuid(`dead job ${index}`)];
  const age = `${minutes} minutes`;
  await engine.query(
    `insert into persistence_job_dead_letters (dead_letter_id, retry_job_id, job_kind, character_id, realm_id, zone_id, payload,
       failed_attempts, error, dead_lettered_at, source, session_impact)
     values ($1, $2, $3, $4, $5, 'harbour', $6, 4, $7, clock_timestamp() - $8::interval, 'zone-server-14', 'None')`,
    [letterId, jobId, kind, characterId, REALM, payload, ERRORS[kind === "combat_rewards" ? 0 : 1], age],
  );
  await engine.query(
    `insert into persistence_retry_attempts (retry_job_id, attempt, started_at, duration_ms, worker, error)
     select $1, n, clock_timestamp() - $2::interval - (8 - 2 ^ (n - 1)) * interval '1 second', 6 + n, 'persist-6d9c-k2x7f', $3
       from generate_series(1, 4) n`,
    [jobId, age, ERRORS[kind === "combat_rewards" ? 0 : 1]],
  );
  return letterId;
}

/** Died as poison does: unrun, with no attempt on record. */
async function tookItsWorkers(engine: Pool, index: number): Promise<void> {
  await engine.query(
    "update persistence_job_dead_letters set failed_attempts = 0, error = 'poison: 3 leases lost without a recorded failure' where dead_letter_id = $1",
    [uuid(`letter ${index}`)],
  );
  await engine.query("delete from persistence_retry_attempts where retry_job_id = $1", [uuid(`dead job ${index}`)]);
}

async function requeued(
  engine: Pool,
  index: number,
  outcome: "recovered" | "superseded" | "died_again",
): Promise<void> {
  const [letterId, jobId] = [uuid(`letter ${index}`), uuid(`requeued job ${index}`)];
  await engine.query(
    `update persistence_job_dead_letters set requeued_at = dead_lettered_at + interval '2 minutes', requeued_retry_job_id = $2 where dead_letter_id = $1`,
    [letterId, jobId],
  );
  await engine.query(
    "insert into persistence_retry_outcomes (retry_job_id, dead_letter_id, outcome, settled_at) select $2, $1, $3, requeued_at + interval '2 seconds' from persistence_job_dead_letters where dead_letter_id = $1",
    [letterId, jobId, outcome],
  );
}

import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { PersistenceRetryJob } from "@/lib/engine/persistence-retry/payload/decode";
import { newRetryJob } from "@/lib/engine/persistence-retry/queue";
import type { Person } from "./make-jobs";

// Rows in each state, for tests and fixed data. Plain SQL on purpose: what is tested does not make its own input.

export * from "./make-jobs";

/** A zone of the catalog; its id. */
export async function newZone(
  pool: pg.Pool,
  zoneId = `zone_${randomUUID().slice(0, 8)}`,
  name = zoneId,
): Promise<string> {
  await pool.query("insert into zone_catalog (zone_id, realm_id, name) values ($1, 'aurelia', $2)", [zoneId, name]);
  return zoneId;
}

/** An item of the catalog; its id. */
export async function newItem(pool: pg.Pool, itemId = `item_${randomUUID().slice(0, 8)}`): Promise<string> {
  await pool.query("insert into item_catalog (item_id, name) values ($1, $1) on conflict do nothing", [itemId]);
  return itemId;
}

/** A transfer of the character to the zone; its id. */
export async function newTransfer(
  pool: pg.Pool,
  person: Person,
  toZoneId: string,
  state: "pending" | "active" | "cancelled" = "pending",
): Promise<string> {
  const transferId = randomUUID();
  await pool.query(
    `insert into character_transfers (transfer_id, character_id, from_zone_id, to_zone_id, state, settled_at)
     values ($1, $2, $3, $4, $5, case when $5 <> 'pending' then clock_timestamp() end)`,
    [transferId, person.characterId, person.zoneId, toZoneId, state],
  );
  return transferId;
}

/** A character at version 7, in a zone of its own unless one is given, with 100 gold. */
export async function newCharacter(pool: pg.Pool, over: { zoneId?: string; realmId?: string } = {}): Promise<Person> {
  const zoneId = over.zoneId ?? (await newZone(pool));
  const person = { characterId: randomUUID(), realmId: over.realmId ?? "aurelia", zoneId, version: "7" };
  await pool.query(
    `insert into characters (character_id, realm_id, name, version, zone_id, position_x, position_y, position_z)
     values ($1, $2, 'Brannoch', 7, $3, 1.5, -2.25, 0)`,
    [person.characterId, person.realmId, zoneId],
  );
  await pool.query("insert into reward_balances (character_id, gold, changed_at) values ($1, 100, clock_timestamp())", [
    person.characterId,
  ]);
  return person;
}

/** A job's state on the store's clock. */
export type JobState = "due" | "scheduled" | "retrying" | "leased" | "expired";

const SECONDS: Record<JobState, { next: number; attempts: number; lease: number | null }> = {
  due: { next: -1, attempts: 0, lease: null },
  scheduled: { next: 600, attempts: 0, lease: null },
  retrying: { next: 600, attempts: 2, lease: null },
  leased: { next: -1, attempts: 1, lease: 600 },
  expired: { next: -1, attempts: 1, lease: -60 },
};

/** A row of `persistence_retry_jobs`; its id. `payload` replaces the job's own text. */
export async function insertJob(
  pool: pg.Pool,
  job: PersistenceRetryJob,
  state: JobState = "due",
  over: { payload?: string; attempts?: number } = {},
): Promise<string> {
  const row = newRetryJob(randomUUID(), job, null);
  const { next, attempts, lease } = SECONDS[state];
  await pool.query(
    `insert into persistence_retry_jobs
       (retry_job_id, job_kind, character_id, realm_id, zone_id, payload, last_error, attempt_count, next_attempt_at,
        lease_token, lease_owner, lease_expires_at, created_at, updated_at)
     select $1, $2, $3, $4, $5, $6, case when $7 > 0 then 'ERROR 55P03: lock timeout' end, $7,
            clock_timestamp() + make_interval(secs => $8),
            case when $9::float8 is not null then gen_random_uuid() end,
            case when $9::float8 is not null then 'persist-6d9c-k2x7f' end,
            clock_timestamp() + make_interval(secs => $9), clock_timestamp(), clock_timestamp()`,
    [
      row.retryJobId,
      row.jobKind,
      row.characterId,
      row.realmId,
      row.zoneId,
      over.payload ?? row.payload,
      over.attempts ?? attempts,
      next,
      lease,
    ],
  );
  return row.retryJobId;
}

/** An active row of `persistence_job_dead_letters`, in the seed's columns alone; its id. */
export async function insertLetter(
  pool: pg.Pool,
  job: PersistenceRetryJob,
  over: { payload?: string; error?: string } = {},
): Promise<string> {
  const row = newRetryJob(randomUUID(), job, null);
  const deadLetterId = randomUUID();
  const error =
    over.error ??
    'ERROR 23503: insert or update on table "reward_ledger" violates foreign key constraint "reward_ledger_zone_id_fkey"\nDETAIL: Key (zone_id)=(418) is not present in table "zone_catalog".';
  await pool.query(
    `insert into persistence_job_dead_letters
       (dead_letter_id, retry_job_id, job_kind, character_id, realm_id, zone_id, payload, failed_attempts, error,
        dead_lettered_at)
     values ($1, $2, $3, $4, $5, $6, $7, 8, $8, clock_timestamp())`,
    [
      deadLetterId,
      row.retryJobId,
      row.jobKind,
      row.characterId,
      row.realmId,
      row.zoneId,
      over.payload ?? row.payload,
      error,
    ],
  );
  return deadLetterId;
}

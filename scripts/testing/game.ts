import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { type BodyOptions, bodyOf, type WorkKind, withNeeds } from "./kind-bodies";

/** Makers of game state and of work in each state, used by tests, benches and shots alike. Rows go in as the engine's role. */
export const REALM = "realm-1";

export type Made = { characterId: string; letterId: string; jobId: string; key: string; payload: string };

export async function makeZone(pool: Pool, zoneId: string, name = zoneId): Promise<void> {
  await pool.query("insert into zone_catalog (zone_id, realm_id, name) values ($1, $2, $3) on conflict do nothing", [
    zoneId,
    REALM,
    name,
  ]);
}

export type CharacterOptions = { name?: string; version?: number; zoneId?: string; realmId?: string };

/** A character at 1, 2, 3 in a zone of the catalog, with a balance of 100 gold. */
export async function makeCharacter(pool: Pool, options: CharacterOptions = {}): Promise<string> {
  const { name = "Brannoch", version = 7, zoneId = "harbour", realmId = REALM } = options;
  const characterId = randomUUID();
  await makeZone(pool, zoneId);
  await pool.query(
    `insert into characters (character_id, realm_id, name, version, zone_id, position_x, position_y, position_z)
     values ($1, $2, $3, $4, $5, 1, 2, 3)`,
    [characterId, realmId, name, version, zoneId],
  );
  await pool.query("insert into reward_balances (character_id, gold, changed_at) values ($1, 100, clock_timestamp())", [
    characterId,
  ]);
  return characterId;
}

export type WorkOptions = BodyOptions & {
  kind?: WorkKind;
  characterId?: string;
  /** The version that the write was based on. */
  version?: number;
  zoneId?: string;
  key?: string;
  sessionToken?: string;
  realmId?: string;
  /** When the write was meant, ISO 8601; now unless told otherwise. */
  issuedAt?: string;
  /** Instead of a payload of its own. */
  payload?: string;
};

/** The saved job of one write, as the game serializes it. */
export function payloadOf(options: WorkOptions & { characterId: string }): { payload: string; key: string } {
  const { kind = "combat_rewards", characterId, version = 7, zoneId = "harbour", realmId = REALM } = options;
  const key = options.key ?? `${kind}:${characterId}:${randomUUID()}`;
  const payload =
    options.payload ??
    `{"payload":{"kind":"${kind}","character_id":"${characterId}","realm_id":"${realmId}","zone_id":"${zoneId}",${bodyOf(kind, options)}},` +
      `"session_token":${JSON.stringify(options.sessionToken ?? "tok-secret-0123456789")},"session_impact":"None","source":"zone-server-14",` +
      `"idempotency":{"key":"${key}","character_version":${version},"issued_at":"${options.issuedAt ?? new Date().toISOString()}"}}`;
  return { payload, key };
}

const ERROR =
  'ERROR 23503: insert or update on table "reward_ledger" violates foreign key constraint "reward_ledger_zone_id_fkey"\nDETAIL: Key (zone_id)=(harbour) is not present in table "zone_catalog".';

/** A dead letter whose cause is gone, of a character that nothing touched since: safe to requeue unless options say otherwise. */
export async function makeLetter(
  pool: Pool,
  options: WorkOptions & {
    error?: string;
    attempts?: number;
    /** How long ago, as an interval; a death of just now says that its cause is still there. */
    diedAgo?: string;
  } = {},
): Promise<Made> {
  const characterId = options.characterId ?? (await makeCharacter(pool));
  const { payload, key } = payloadOf(await withNeeds(pool, { ...options, characterId }));
  const [letterId, jobId] = [randomUUID(), randomUUID()];
  await pool.query(
    `insert into persistence_job_dead_letters (dead_letter_id, retry_job_id, job_kind, character_id, realm_id, zone_id, payload,
       failed_attempts, error, dead_lettered_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, clock_timestamp() - $10::interval)`,
    [
      letterId,
      jobId,
      options.kind ?? "combat_rewards",
      characterId,
      options.realmId ?? REALM,
      options.zoneId ?? "harbour",
      payload,
      options.attempts ?? 8,
      options.error ?? ERROR,
      options.diedAgo ?? "10 minutes",
    ],
  );
  return { characterId, letterId, jobId, key, payload };
}

export type JobState = "due" | "scheduled" | "retrying" | "leased" | "expired";

const SHAPE: Record<JobState, { next: string; attempts: number; lease: string | null }> = {
  due: { next: "-5 seconds", attempts: 0, lease: null },
  scheduled: { next: "1 hour", attempts: 0, lease: null },
  retrying: { next: "1 hour", attempts: 2, lease: null },
  leased: { next: "-5 seconds", attempts: 1, lease: "30 seconds" },
  expired: { next: "-5 seconds", attempts: 1, lease: "-30 seconds" },
};

/** A retry job in the state asked for, on the database clock. */
export async function makeJob(pool: Pool, state: JobState, options: WorkOptions = {}): Promise<string> {
  const characterId = options.characterId ?? (await makeCharacter(pool));
  const { payload } = payloadOf(await withNeeds(pool, { ...options, characterId }));
  const { next, attempts, lease } = SHAPE[state];
  const jobId = randomUUID();
  await pool.query(
    `insert into persistence_retry_jobs (retry_job_id, job_kind, character_id, realm_id, zone_id, payload, last_error, attempt_count,
       next_attempt_at, lease_token, lease_owner, lease_expires_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, clock_timestamp() + $9::interval, $10, $11, clock_timestamp() + $12::interval,
       clock_timestamp() - interval '1 minute', clock_timestamp())`,
    [
      jobId,
      options.kind ?? "combat_rewards",
      characterId,
      options.realmId ?? REALM,
      options.zoneId ?? "harbour",
      payload,
      attempts > 0 ? ERROR : null,
      attempts,
      next,
      lease === null ? null : randomUUID(),
      lease === null ? null : "persist-1:42",
      lease,
    ],
  );
  return jobId;
}

/** Where a piece of work is: exactly one of live, dead and applied should be true of it. */
export async function whereabouts(pool: Pool, made: Made) {
  const { rows } = await pool.query(
    `select (select count(*)::int from persistence_retry_jobs where character_id = $1) as live,
       (select count(*)::int from persistence_job_dead_letters where character_id = $1 and requeued_at is null) as dead,
       (select count(*)::int from persistence_job_dead_letters where character_id = $1) as letters,
       (select count(*)::int from persistence_applied_keys where idempotency_key = $2) as applied,
       (select gold::text from reward_balances where character_id = $1) as gold,
       (select version::text from characters where character_id = $1) as version`,
    [made.characterId, made.key],
  );
  return rows[0] as { live: number; dead: number; letters: number; applied: number; gold: string; version: string };
}

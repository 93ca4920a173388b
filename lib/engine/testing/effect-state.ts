import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { Queryable } from "@/lib/db/pg";
import { applyOnce } from "@/lib/engine/persistence-retry/apply-once";
import type { PersistenceRetryJob } from "@/lib/engine/persistence-retry/payload/decode";

/** Every table that applying a payload can write to. */
const TABLES = [
  "characters",
  "reward_balances",
  "reward_items",
  "reward_ledger",
  "character_appearance",
  "character_equipment",
  "gameplay_state",
  "character_transfers",
] as const;
type Table = (typeof TABLES)[number];

/** When something was written, and what the store numbers by itself: two equal effects differ in these. */
const LEFT_OUT = ["changed_at", "granted_at", "requested_at", "settled_at", "ledger_id"];

/** A row, each value as its text: numbers digit for digit. */
export type EffectStateRow = Record<string, string | null>;
export type EffectState = Record<Table, EffectStateRow[]>;

// $1 character · $2 columns left out
const rowsOf = (table: Table) => `
  (select coalesce(jsonb_agg(said.line order by said.line::text), '[]')
     from (select (select jsonb_object_agg(key, value) from jsonb_each_text(to_jsonb(r) - $2::text[])) as line
             from ${table} r where r.character_id = $1) as said) as ${table}`;

/** The whole effect state of a character, all its tables, without times: 'as after one' is `toEqual` of two of these. */
export async function effectState(db: Queryable, characterId: string): Promise<EffectState> {
  const { rows } = await db.query(`select ${TABLES.map(rowsOf).join(", ")}`, [characterId, LEFT_OUT]);
  return rows[0] as EffectState;
}

/** What the state would be after one delivery of the job: it is applied, looked at, and undone. */
export async function stateAfterOne(pool: pg.Pool, job: PersistenceRetryJob): Promise<EffectState> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    if ((await applyOnce(client, randomUUID(), job)) !== "applied") throw new Error("it would not be applied");
    return await effectState(client, job.payload.characterId);
  } finally {
    await client.query("rollback");
    client.release();
  }
}

import { randomUUID } from "node:crypto";
import type pg from "pg";
import { z } from "zod";
import { maybe, one, type Sql } from "@/lib/db/pg";
import { type PersistDirectlyDeps, persistOrQueue } from "@/lib/engine/persistence-retry/persist";
import { LETTERS_MAX } from "./demo-state";
import { locationWrite, rewardsWrite } from "./make-write";
import { pickCharacters } from "./pick-characters";

/** Everyday life goes on with at least so many, however many breaks are left unsettled. */
const LEFT_FREE = 20;

const OPEN_BREAK: Sql = {
  name: "demo_open_break",
  text: `
    select b.break_id::text, b.zone_id, b.realm_id,
           (select count(*)::int from demo_break_writes w where w.break_id = b.break_id) as writes
      from demo_breaks b where b.mended_at is null`,
};

// $1 break · $2 job · $3 character · $4 kind. The slot is the bound: there are forty, and the check says so too.
const TAKE_SLOT: Sql = {
  name: "demo_take_slot",
  text: `
    insert into demo_break_writes (break_id, slot, retry_job_id, character_id, job_kind, queued_at)
    select b.break_id, s.slot, $2, $3, $4, clock_timestamp()
      from demo_breaks b,
           lateral (select coalesce(max(slot), 0) + 1 as slot from demo_break_writes where break_id = b.break_id) as s
     where b.break_id = $1 and b.mended_at is null and s.slot <= ${LETTERS_MAX}
    on conflict do nothing
    returning slot`,
};

const Break = z.object({ break_id: z.string(), zone_id: z.string(), realm_id: z.string(), writes: z.number() });

/**
 * While the catalog is broken: one character sets off for the zone that is missing, and its write fails, location and
 * rewards in turn. Forty in all, one a character. Answers whether one went.
 */
export async function expedition(deps: PersistDirectlyDeps): Promise<boolean> {
  const { pool } = deps;
  const open = await maybe(pool, OPEN_BREAK, Break);
  if (open === null || open.writes >= LETTERS_MAX) return false;
  const free = await pickCharacters(pool, LEFT_FREE + 1, null);
  const [character] = await pickCharacters(pool, 1, open.realm_id);
  if (free.length <= LEFT_FREE || !character) return false;
  const write = open.writes % 2 === 0 ? locationWrite : rewardsWrite;
  const job = write(character, open.zone_id);
  const retryJobId = randomUUID();
  if (!(await takeSlot(pool, [open.break_id, retryJobId, character.characterId, job.payload.kind]))) return false;
  await persistOrQueue(deps, retryJobId, job);
  return true;
}

async function takeSlot(pool: pg.Pool, values: string[]): Promise<boolean> {
  return (await maybe(pool, TAKE_SLOT, z.object({ slot: z.number() }), values)) !== null;
}

const EVER_BROKEN: Sql = {
  name: "demo_ever_broken",
  text: "select exists (select 1 from demo_breaks) as ever",
};

/** Whether the catalog has been broken at any time. */
export async function everBroken(pool: pg.Pool): Promise<boolean> {
  return (await one(pool, EVER_BROKEN, z.object({ ever: z.boolean() }))).ever;
}

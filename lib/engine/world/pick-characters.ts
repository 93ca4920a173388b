import { z } from "zod";
import { many, maybe, type Queryable, type Sql } from "@/lib/db/pg";
import { instant } from "@/lib/engine/pg/instant";

/** How long after a requeue a character is still left alone, so that its operator can see what the requeue wrote. */
const REST_MINUTES = 15;

/**
 * SQL for whom the world may write to: not somebody with a letter that is open or was requeued a little while ago, nor
 * with a job that waits, nor one of those whom the open fault concerns.
 */
const FREE = `
  not exists (select 1 from persistence_retry_jobs j where j.character_id = c.character_id)
       and not exists (
         select 1 from demo_fault_writes w join demo_faults f using (fault_id)
          where w.character_id = c.character_id and f.ended_at is null)
       and not exists (
         select 1 from persistence_job_dead_letters l
          where l.character_id = c.character_id
            and (l.requeued_at is null
                 or l.requeued_at > statement_timestamp() - make_interval(mins => ${REST_MINUTES})))`;

// $1 characters at most · $2 realm, or null for any
const PICK: Sql = {
  name: "world_pick_characters",
  text: `
    select c.character_id, c.realm_id, c.version::text, c.zone_id, ${instant("clock_timestamp()")} as now
      from characters c
     where ($2::text is null or c.realm_id = $2) and ${FREE}
     order by random() limit $1`,
};

// $1 character
const IS_FREE: Sql = {
  name: "world_character_is_free",
  text: `select c.name, c.realm_id, c.zone_id from characters c where c.character_id = $1 and ${FREE}`,
};

const Free = z
  .object({ name: z.string(), realm_id: z.string(), zone_id: z.string() })
  .transform(({ name, realm_id, zone_id }) => ({ name, realmId: realm_id, zoneId: zone_id }));

/** Who and where a character is, if the world may write to it now; else null. */
export function findFree(db: Queryable, characterId: string): Promise<z.output<typeof Free> | null> {
  return maybe(db, IS_FREE, Free, [characterId]);
}

export const Picked = z
  .object({
    character_id: z.string(),
    realm_id: z.string(),
    version: z.string(),
    zone_id: z.string(),
    now: z.string(),
  })
  .transform((row) => ({
    characterId: row.character_id,
    realmId: row.realm_id,
    version: row.version,
    zoneId: row.zone_id,
    /** The store's clock. */
    now: row.now,
  }));
export type Picked = z.output<typeof Picked>;

/** Characters that the world may write to now, at random. */
export function pickCharacters(db: Queryable, rowsMax: number, realmId: string | null = null): Promise<Picked[]> {
  return many(db, PICK, Picked, [rowsMax, realmId]);
}

import type pg from "pg";
import { z } from "zod";
import { execute, one, type Queryable, type Sql } from "@/lib/db/pg";
import { instant } from "@/lib/engine/pg/instant";
import type { DemoState } from "@/lib/internal-rpc/demo-wire";
import { readFaultState } from "./faults/read-fault";

/** Letters that may come of one break; also the check on demo_break_writes.slot. */
export const LETTERS_MAX = 40;
/** Without a viewer for so long the world idles. */
export const IDLE_AFTER_MINUTES = 30;

const Row = z.object({
  broken_since: z.string().nullable(),
  zone_id: z.string().nullable(),
  zone_name: z.string().nullable(),
  letters: z.number(),
  idle: z.boolean(),
  characters: z.number(),
});

const STATE: Sql = {
  name: "demo_state",
  text: `
    select ${instant("b.broken_at")} as broken_since, b.zone_id, b.zone_name,
           (select count(*)::int from demo_break_writes w
             where w.break_id = b.break_id
               and exists (select 1 from persistence_job_dead_letters l where l.retry_job_id = w.retry_job_id)) as letters,
           coalesce(w.viewer_seen_at < statement_timestamp() - make_interval(mins => ${IDLE_AFTER_MINUTES}), true) as idle,
           (select count(*)::int from characters) as characters
      from (select 1) as one
      left join demo_world w on true
      left join demo_breaks b on b.mended_at is null`,
};

/** How the demo stands. `letters`: writes of the present break that have become dead letters. */
export async function readDemoState(db: Queryable): Promise<DemoState> {
  return { ...(await one(db, STATE, Row)), letters_max: LETTERS_MAX, fault: await readFaultState(db) };
}

const NOTE_VIEWER: Sql = {
  name: "demo_note_viewer",
  text: `insert into demo_world (viewer_seen_at) values (clock_timestamp())
         on conflict (singleton) do update set viewer_seen_at = excluded.viewer_seen_at`,
};

/** Somebody looks: the world goes on for another 30 minutes. */
export async function noteViewer(pool: pg.Pool): Promise<void> {
  await execute(pool, NOTE_VIEWER);
}

import type pg from "pg";
import { z } from "zod";
import { execute, maybe, type Queryable, type Sql, sqlState } from "@/lib/db/pg";
import { boundedTransaction } from "@/lib/engine/pg/bounded-transaction";
import type { DemoState } from "@/lib/internal-rpc/demo-wire";
import { readDemoState } from "./demo-state";
import { ensureFrontier, UNREFERENCED } from "./frontier";

export type BreakEnding = { kind: "broken" | "already_broken"; state: DemoState };
export type MendEnding = { kind: "mended" | "not_broken"; state: DemoState };

const TIMEOUT_MS = 8_000;

// $1 who. Two that come at once meet at the unique index of the open break: the second writes nothing.
const BREAK: Sql = {
  name: "demo_break",
  text: `
    insert into demo_breaks (zone_id, realm_id, zone_name, broken_at, broken_by)
    select zone_id, realm_id, name, clock_timestamp(), $1
      from zone_catalog z
     where ${UNREFERENCED}
     order by z.added_at, z.zone_id limit 1
    on conflict ((true)) where mended_at is null do nothing
    returning zone_id`,
};

// $1 zone
const TAKE_OUT: Sql = { name: "demo_take_zone_out", text: "delete from zone_catalog where zone_id = $1" };

// $1 who
const MEND: Sql = {
  name: "demo_mend",
  text: `
    with mended as (
      update demo_breaks set mended_at = clock_timestamp(), mended_by = $1 where mended_at is null
      returning zone_id, realm_id, zone_name
    )
    insert into zone_catalog (zone_id, realm_id, name)
    select zone_id, realm_id, zone_name from mended
    on conflict (zone_id) do nothing
    returning zone_id`,
};

const FOREIGN_KEY_VIOLATION = "23503";

/** Takes a zone that nothing references out of the catalog; both kinds of write will soon need it. */
export async function breakCatalog(pool: pg.Pool, by: string): Promise<BreakEnding> {
  for (let tries = 1; ; tries += 1) {
    try {
      const kind = await boundedTransaction(pool, { timeoutMs: TIMEOUT_MS }, (client) => breakOnce(client, by));
      return { kind, state: await readDemoState(pool) };
    } catch (error) {
      // A write that was under way has just referred to that zone: there is another.
      if (sqlState(error) !== FOREIGN_KEY_VIOLATION || tries === 3) throw error;
    }
  }
}

async function breakOnce(client: Queryable, by: string): Promise<BreakEnding["kind"]> {
  await ensureFrontier(client);
  const broken = await maybe(client, BREAK, z.object({ zone_id: z.string() }), [by]);
  if (broken === null) return "already_broken";
  await execute(client, TAKE_OUT, [broken.zone_id]);
  return "broken";
}

/** Puts the zone back. Nothing else does, ever. */
export async function mendCatalog(pool: pg.Pool, by: string): Promise<MendEnding> {
  const mended = await maybe(pool, MEND, z.object({ zone_id: z.string() }), [by]);
  return { kind: mended === null ? "not_broken" : "mended", state: await readDemoState(pool) };
}

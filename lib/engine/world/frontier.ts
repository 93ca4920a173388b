import { z } from "zod";
import { execute, one, type Queryable, type Sql } from "@/lib/db/pg";
import { frontierZone, OPEN_ZONES } from "./zones";

/** Zones that nothing references, kept ready: a break needs one. */
const FRONTIER_MIN = 2;

// Names of our own, of letters and underscores.
const OPEN = OPEN_ZONES.map((zone) => `'${zone.zoneId}'`).join(", ");

/**
 * SQL of the zones `z` that no character and no ledger row refers to, and where nobody goes in everyday life: such a
 * row can be deleted, and nothing but an expedition fails for it.
 */
export const UNREFERENCED = `
  z.zone_id not in (${OPEN})
  and not exists (select 1 from characters c where c.zone_id = z.zone_id)
  and not exists (select 1 from reward_ledger r where r.zone_id = z.zone_id)`;

const COUNT: Sql = {
  name: "demo_frontier_count",
  text: `select count(*)::int as zones from zone_catalog z where ${UNREFERENCED}`,
};

// $1 zone · $2 realm · $3 name. What a break has taken out is put back by a mend and by nothing else.
const ADD: Sql = {
  name: "demo_frontier_add",
  text: `insert into zone_catalog (zone_id, realm_id, name)
         select $1, $2, $3
          where not exists (select 1 from demo_breaks where mended_at is null and zone_id = $1)
         on conflict (zone_id) do nothing`,
};

// Held to the end of the transaction: nobody adds a zone while a break takes one out.
const LOCK: Sql = {
  name: "demo_catalog_lock",
  text: "select pg_advisory_xact_lock(hashtextextended('backstop.demo.catalog', 0))",
};

/** Sees to it that the catalog has zones that nothing references. Call it in a transaction. */
export async function ensureFrontier(db: Queryable): Promise<void> {
  await execute(db, LOCK);
  for (let n = 0; ; n += 1) {
    const { zones } = await one(db, COUNT, z.object({ zones: z.number() }));
    if (zones >= FRONTIER_MIN) return;
    const { zoneId, realmId, name } = frontierZone(n);
    await execute(db, ADD, [zoneId, realmId, name]);
  }
}

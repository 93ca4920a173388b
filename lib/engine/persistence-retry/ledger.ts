import type pg from "pg";
import { z } from "zod";
import { one, type Sql } from "@/lib/db/pg";
import { instant } from "@/lib/engine/pg/instant";
import type { LedgerFacts } from "@/lib/internal-rpc/wire";

// The index on applied_at serves it.
const SINCE: Sql = {
  name: "ledger_since",
  text: `select ${instant("min(applied_at)")} as since from persistence_applied_keys`,
};

/** How far the ledger of applied keys reaches back: its oldest key (null: it is empty), and how long a key is kept. */
export async function readLedger(pool: pg.Pool, keptDays: number): Promise<LedgerFacts> {
  const { since } = await one(pool, SINCE, z.object({ since: z.string().nullable() }));
  return { since, kept_days: keptDays };
}

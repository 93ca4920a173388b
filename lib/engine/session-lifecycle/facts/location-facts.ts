import type pg from "pg";
import { z } from "zod";
import { one, type Sql } from "@/lib/db/pg";
import { kindNamed } from "@/lib/engine/persistence-retry/kinds";
import { locationJob, locationKey, type Work } from "@/lib/engine/session-lifecycle/persist-location";
import type { FieldFact } from "@/lib/internal-rpc/wire";

// $1 key
const WRITTEN: Sql = {
  name: "journal_location_written",
  text: "select exists (select 1 from persistence_applied_keys where idempotency_key = $1) as written",
};

/** What persisting a cleanup's location would write now, and whether it was written before. */
export async function locationFacts(
  pool: pg.Pool,
  work: Pick<Work, "item" | "cleanup">,
): Promise<{ written: boolean; fields: FieldFact[] }> {
  const { written } = await one(pool, WRITTEN, z.object({ written: z.boolean() }), [locationKey(work)]);
  const { payload } = locationJob({ ...work, enqueuedAt: "" }, "0");
  return { written, fields: (await kindNamed(payload.kind)?.effects(pool, payload)) ?? [] };
}

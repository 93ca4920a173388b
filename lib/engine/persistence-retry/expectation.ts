import { z } from "zod";
import { maybe, type Queryable, type Sql } from "@/lib/db/pg";
import type { PersistenceRetryJob } from "./payload/decode";

/** What a plan was judged on; null: not a condition. */
export type Expectation = { characterVersion: string | null; session: "active" | "inactive" | null };

export const NOTHING_EXPECTED: Expectation = { characterVersion: null, session: null };

/** One thing that is no longer as expected; `found` null: it is not there, or cannot be read. */
export type Changed = { field: string; expected: string | null; found: string | null };

// $1 character · $2 realm. The lock holds every write to the character back until the requeue is committed.
const LOCK_CHARACTER: Sql = {
  name: "requeue_lock_character",
  text: `select version::text from characters where character_id = $1 and realm_id = $2 for no key update`,
};

/**
 * Checks the character under its row lock, inside the requeueing transaction.
 * @param session as it was just before the transaction; null: it could not be told, and the condition is not met
 */
export async function changedSince(
  db: Queryable,
  job: PersistenceRetryJob,
  expect: Expectation,
  session: Expectation["session"],
): Promise<Changed[]> {
  const changed: Changed[] = [];
  if (expect.characterVersion !== null) {
    const { characterId, realmId } = job.payload;
    const row = await maybe(db, LOCK_CHARACTER, z.object({ version: z.string() }), [characterId, realmId]);
    if (row?.version !== expect.characterVersion) {
      changed.push({ field: "character_version", expected: expect.characterVersion, found: row?.version ?? null });
    }
  }
  if (expect.session !== null && session !== expect.session) {
    changed.push({ field: "session", expected: expect.session, found: session });
  }
  return changed;
}

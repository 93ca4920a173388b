import type { Pool } from "pg";
import { z } from "zod";
import { many, type Sql } from "@/lib/db/pg";
import type { Finding } from "@/lib/domain/preflight";

/** $1 letter ids. Those whose job was never run to an end: the engine's error of them begins so, whoever wrote it. */
const POISON: Sql = {
  name: "persistence_letter_poison",
  text: `select dead_letter_id::text as letter_id, left(error, 200) as error from persistence_job_dead_letters
      where dead_letter_id = any($1::uuid[]) and error like 'poison: %'`,
};
const PoisonRow = z.object({ letter_id: z.string(), error: z.string() });

/** For each letter that died as poison a warning: what it did to its workers it will do again. */
export async function poisonFindings(pool: Pool, letterIds: string[]): Promise<Map<string, Finding>> {
  const rows = await many(pool, POISON, PoisonRow, [letterIds]);
  return new Map(rows.map(({ letter_id, error }) => [letter_id, poison(error)]));
}

function poison(error: string): Finding {
  return {
    code: "poison",
    severity: "warn",
    title: "This payload took its workers with it",
    reason: "Each worker that had it in hand was gone without recording a failure. It has not been run to an end.",
    evidence: [{ label: "error", value: error }],
    whatToDo: "find what in it ends the process, and mend that first. It is claimed alone: nothing else waits for it.",
    acknowledgement: "The engine was mended for this payload, or may be ended by it again.",
  };
}

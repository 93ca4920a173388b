import { z } from "zod";
import { many, type Queryable } from "@/lib/db/pg";
import { LetterFacts } from "@/lib/internal-rpc/wire";
import type { ReadLetter } from "./read-letters";
import { EVIDENCE, RECENT, RECENT_MINUTES } from "./sql";

const Evidence = LetterFacts.pick({ character: true, key_applied: true, newer_jobs: true, newer_letters: true }).extend(
  {
    dead_letter_id: z.string(),
  },
);
export type Evidence = z.output<typeof Evidence>;

/** Character, applied key and newer work of each letter, by the letter's id. */
export async function readEvidence(db: Queryable, letters: ReadLetter[]): Promise<Map<string, Evidence>> {
  const jobs = letters.map(({ decoded }) => (decoded.ok ? decoded.job : null));
  const rows = await many(db, EVIDENCE, Evidence, [
    letters.map((letter) => letter.deadLetterId),
    jobs.map((job) => job?.payload.characterId ?? null),
    jobs.map((job) => job?.idempotency.key ?? null),
    jobs.map((job) => job?.idempotency.issuedAt ?? null),
  ]);
  return new Map(rows.map((row) => [row.dead_letter_id, row]));
}

type Recent = LetterFacts["recent"];
const Counts = z.object({ job_kind: z.string(), done: z.number(), failed: z.number() });

/** How each kind fared in the last minutes, over all workers. */
export async function readRecent(db: Queryable, letters: ReadLetter[]): Promise<(kind: string) => Recent> {
  const kinds = [...new Set(letters.map((letter) => letter.jobKind))];
  const rows = await many(db, RECENT, Counts, [kinds]);
  return (kind) => {
    const counts = rows.find((row) => row.job_kind === kind);
    return { minutes: RECENT_MINUTES, done: counts?.done ?? 0, failed: counts?.failed ?? 0 };
  };
}

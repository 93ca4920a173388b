import type { Queryable } from "@/lib/db/pg";
import type { LetterFacts } from "@/lib/internal-rpc/wire";
import { cutFields } from "./cut-fields";
import type { Evidence } from "./read-evidence";
import type { ReadLetter } from "./read-letters";
import { RECENT_MINUTES } from "./sql";

/** The facts of a letter that is not in the store. */
export function missingFacts(deadLetterId: string): LetterFacts {
  return {
    dead_letter_id: deadLetterId,
    found: false,
    requeued: null,
    decodes: null,
    job: null,
    character: null,
    fields: [],
    fields_cut: false,
    key_applied: null,
    newer_jobs: [],
    newer_letters: [],
    recent: { minutes: RECENT_MINUTES, done: 0, failed: 0 },
  };
}

/** What applying this letter would do now, from what was read of it. */
export async function letterFacts(
  db: Queryable,
  letter: ReadLetter,
  evidence: Evidence,
  recent: LetterFacts["recent"],
): Promise<LetterFacts> {
  const { decoded } = letter;
  const found = { ...missingFacts(letter.deadLetterId), ...evidence, found: true, requeued: letter.requeued, recent };
  if (!decoded.ok) return { ...found, decodes: { ok: false, error: decoded.error } };
  const { kind, job } = decoded;
  const { fields, cut } = cutFields(await kind.effects(db, job.payload));
  return {
    ...found,
    decodes: { ok: true },
    job: {
      kind: job.payload.kind,
      semantics: kind.semantics,
      character_id: job.payload.characterId,
      realm_id: job.payload.realmId,
      idempotency_key: job.idempotency.key,
      character_version: job.idempotency.characterVersion,
      issued_at: job.idempotency.issuedAt,
    },
    fields,
    fields_cut: cut,
  };
}

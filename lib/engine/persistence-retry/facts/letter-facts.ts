import { z } from "zod";
import { many, maybe, one, type Queryable, sqlState } from "@/lib/db/pg";
import type { Kind } from "@/lib/engine/persistence-retry/kinds";
import { decodePersistenceRetryJob, type PersistenceRetryJob } from "@/lib/engine/persistence-retry/payload/decode";
import type { LetterFacts } from "@/lib/internal-rpc/wire";
import { cutFields } from "./cut-fields";
import { CHARACTER, KEY, LETTER, NEWER_JOBS, NEWER_LETTERS, RECENT, RECENT_MINUTES } from "./sql";

const Letter = z.object({
  job_kind: z.string(),
  character_id: z.string(),
  payload: z.string(),
  requeued_at: z.string().nullable(),
  requeued_retry_job_id: z.string().nullable(),
  operation_id: z.string().nullable(),
  actor: z.string().nullable(),
});
const Character = z.object({ name: z.string(), realm_id: z.string(), version: z.string(), changed_at: z.string() });
const AppliedKey = z.object({ retry_job_id: z.string(), at: z.string() });
const NewerJob = z.object({ retry_job_id: z.string(), created_at: z.string() });
const NewerLetter = z.object({ dead_letter_id: z.string(), dead_lettered_at: z.string() });
const Recent = z.object({ minutes: z.number(), done: z.number(), failed: z.number() });

/** What applying this letter would do now. `db` is a reading transaction; one payload is held in memory at a time. */
export async function letterFacts(db: Queryable, deadLetterId: string): Promise<LetterFacts> {
  const letter = await maybe(db, LETTER, Letter, [deadLetterId]);
  if (letter === null) return { ...NOTHING, dead_letter_id: deadLetterId };
  const decoded = decodePersistenceRetryJob(letter.payload);
  const facts: LetterFacts = {
    ...NOTHING,
    dead_letter_id: deadLetterId,
    found: true,
    requeued: requeuedOf(letter),
    decodes: decoded.ok ? { ok: true } : { ok: false, error: decoded.error },
    newer_letters: await many(db, NEWER_LETTERS, NewerLetter, [deadLetterId]),
    recent: await one(db, RECENT, Recent, [letter.job_kind]),
  };
  if (!decoded.ok) return facts;
  const { job, kind } = decoded;
  const { fields, cut } = cutFields(await effectsOf(db, kind, job));
  return {
    ...facts,
    job: jobFacts(job, kind),
    character: await maybe(db, CHARACTER, Character, [job.payload.characterId]),
    fields,
    fields_cut: cut,
    key_applied: await maybe(db, KEY, AppliedKey, [job.idempotency.key]),
    newer_jobs: await many(db, NEWER_JOBS, NewerJob, [
      deadLetterId,
      letter.character_id,
      letter.job_kind,
      job.idempotency.issuedAt,
    ]),
  };
}

const NOTHING = {
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

function requeuedOf(letter: z.output<typeof Letter>): LetterFacts["requeued"] {
  if (letter.requeued_at === null) return null;
  const { requeued_at: at, requeued_retry_job_id: retry_job_id, operation_id, actor } = letter;
  return { at, retry_job_id, operation_id, actor };
}

function jobFacts({ payload, idempotency }: PersistenceRetryJob, kind: Kind): LetterFacts["job"] {
  return {
    kind: payload.kind,
    semantics: kind.semantics,
    character_id: payload.characterId,
    realm_id: payload.realmId,
    idempotency_key: idempotency.key,
    character_version: idempotency.characterVersion,
    issued_at: idempotency.issuedAt,
  };
}

/** An amount that would run over what its column holds has no 'after': applying it would fail in the same expression. */
async function effectsOf(db: Queryable, kind: Kind, job: PersistenceRetryJob) {
  await db.query("savepoint effects");
  try {
    return await kind.effects(db, job.payload);
  } catch (error) {
    if (!sqlState(error)?.startsWith("22")) throw error;
    await db.query("rollback to savepoint effects");
    return [{ field: kind.name, payload: (error as Error).message, now: null, after: null, change: "same" as const }];
  } finally {
    await db.query("release savepoint effects").catch(() => {});
  }
}

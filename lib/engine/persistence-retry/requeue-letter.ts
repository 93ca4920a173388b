import { randomUUID } from "node:crypto";
import { z } from "zod";
import { maybe, type Queryable, type Sql } from "@/lib/db/pg";
import { instant } from "@/lib/engine/pg/instant";
import { type Changed, changedSince, type Expectation } from "./expectation";
import { decodePersistenceRetryJob } from "./payload/decode";
import type { StoreShape } from "./store-shape";

/** What became of asking for one letter. Only `requeued` may be committed; the caller rolls the others back. */
export type RequeueEnding =
  | { kind: "requeued"; retryJobId: string; at: string }
  | {
      kind: "already_requeued";
      at: string;
      /** Null: the store does not know it. */
      retryJobId: string | null;
      operationId: string | null;
      actor: string | null;
    }
  | { kind: "changed"; changed: Changed[] }
  | { kind: "not_found" }
  | { kind: "undecodable"; error: string };

export type RequeueAsk = {
  deadLetterId: string;
  operationId: string | null;
  expect: Expectation;
  /** The session of the payload's token just before the transaction; null: not looked at, or not to be told. */
  session?: Expectation["session"];
  shape: StoreShape;
};

const SEED =
  "retry_job_id, job_kind, character_id, realm_id, zone_id, payload, attempt_count, next_attempt_at, created_at, updated_at";
const SAVED = "$2, job_kind, character_id, realm_id, zone_id, payload, 0, requeued_at, requeued_at, requeued_at";

// $1 dead letter · $2 new job. The guard is here: of any number that come at once, one finds `requeued_at` null.
// The payload goes from row to row; what is answered of it is only looked at.
const requeue = (columns: string, saved: string, own: string) => `
    with marked as (
      update persistence_job_dead_letters set requeued_at = clock_timestamp(), requeued_retry_job_id = $2
       where dead_letter_id = $1 and requeued_at is null
      returning dead_letter_id, job_kind, character_id, realm_id, zone_id, payload, requeued_at${own}
    ), made as (
      insert into persistence_retry_jobs (${columns}) select ${saved} from marked
    )
    select payload, ${instant("requeued_at")} as at from marked`;

const REQUEUE_SEED: Sql = { name: "requeue_letter_seed", text: requeue(SEED, SAVED, "") };

// $3 operation, or null
const REQUEUE: Sql = {
  name: "requeue_letter",
  text: requeue(
    `${SEED}, source, session_impact, session_token_hash, requeued_from, operation_id`,
    `${SAVED}, source, session_impact, session_token_hash, dead_letter_id, $3::uuid`,
    ", source, session_impact, session_token_hash",
  ),
};

const FIND_SEED: Sql = {
  name: "requeue_find_letter_seed",
  text: `select ${instant("requeued_at")} as at, requeued_retry_job_id, null as operation_id, null as actor
           from persistence_job_dead_letters where dead_letter_id = $1`,
};

const FIND: Sql = {
  name: "requeue_find_letter",
  text: `select ${instant("l.requeued_at")} as at, l.requeued_retry_job_id, o.operation_id, o.actor
           from persistence_job_dead_letters l
           left join persistence_retry_operations o
             on o.dead_letter_id = l.dead_letter_id and o.answer ->> 'answer' = 'requeued'
          where l.dead_letter_id = $1`,
};

const Marked = z.object({ payload: z.string(), at: z.string() });
const Found = z.object({
  at: z.string().nullable(),
  requeued_retry_job_id: z.string().nullable(),
  operation_id: z.string().nullable(),
  actor: z.string().nullable(),
});

/**
 * Puts a letter's saved job back as a fresh one, inside the caller's transaction, and looks whether that was right: it
 * decodes, and what was expected holds under the character's row lock. For another ending than `requeued` the caller
 * rolls back.
 */
export async function requeueLetter(db: Queryable, ask: RequeueAsk): Promise<RequeueEnding> {
  const { deadLetterId, operationId, expect, shape } = ask;
  const retryJobId = randomUUID();
  const values = [deadLetterId, retryJobId, ...(shape.traces ? [operationId] : [])];
  const marked = await maybe(db, shape.traces ? REQUEUE : REQUEUE_SEED, Marked, values);
  if (marked === null) return whyNot(db, deadLetterId, shape);
  const decoded = decodePersistenceRetryJob(marked.payload);
  if (!decoded.ok) return { kind: "undecodable", error: decoded.error };
  const changed = await changedSince(db, decoded.job, expect, ask.session ?? null);
  if (changed.length > 0) return { kind: "changed", changed };
  return { kind: "requeued", retryJobId, at: marked.at };
}

async function whyNot(db: Queryable, deadLetterId: string, shape: StoreShape): Promise<RequeueEnding> {
  const found = await maybe(db, shape.traces ? FIND : FIND_SEED, Found, [deadLetterId]);
  if (found === null) return { kind: "not_found" };
  if (found.at === null) throw new Error(`dead letter ${deadLetterId} became active again while it was looked at`);
  return {
    kind: "already_requeued",
    at: found.at,
    retryJobId: found.requeued_retry_job_id,
    operationId: found.operation_id,
    actor: found.actor,
  };
}

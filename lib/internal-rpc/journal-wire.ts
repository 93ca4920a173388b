import { z } from "zod";
import { BATCH_MAX, FieldFact, instant, rpcVersion, uuid } from "./wire";

/** Where the session lifecycle journal's routes live. */
export const JOURNAL_ROUTES = "/v1/internal/session-lifecycle-journal/dead-letters";

/** A letter's or an entry's id. Ours are UUIDs; other writers' may be any text. */
const id = z.string().min(1).max(200);

export const JournalRequeueRequest = z.object({ rpc_version: rpcVersion, dead_letter_id: id });
/** `entry_id` null: what was put back was no entry, and has no id. */
export const JournalRequeueAnswer = z.object({ requeued: z.boolean(), entry_id: z.string().nullish() });

export const JournalLettersAnswer = z.object({
  /** Pending holds what waits for the next tick after a failure, processing what every runtime holds. */
  depths: z.object({ pending: z.number().int(), processing: z.number().int(), dead_letter: z.number().int() }),
  dead_letters: z.array(
    z.object({
      dead_letter_id: z.string(),
      entry_id: z.string(),
      attempts: z.number().int(),
      error: z.string(),
      error_bytes: z.number().int().optional(),
      timestamp: instant.nullable(),
      character_id: z.string().nullable(),
      character_name: z.string().nullable(),
      // session_token stands here on the wire; the schema does not name it, so it is dropped at the crossing.
    }),
  ),
});

export const JournalPreflightRequest = z.object({
  rpc_version: rpcVersion,
  dead_letter_ids: z.array(id).min(1).max(BATCH_MAX),
});

/** What working off an entry would do, or leave; in the order in which it would. */
export const CleanupStep = z.object({
  step: z.enum(["persist_resume_ledger", "delete_resume_ledger", "persist_location", "refresh_presence"]),
  /** `skips`: the plan has it, and it would not be done now; `why` says so. */
  does: z.enum(["does", "skips"]),
  why: z.string().nullable(),
});
export type CleanupStep = z.infer<typeof CleanupStep>;

/** What the engine says that working off one journal letter would do now. No session token is in it. */
export const JournalFacts = z.object({
  dead_letter_id: id,
  found: z.boolean(),
  /** Null: nobody has, as far as it is kept. */
  requeued: z
    .object({
      at: instant,
      entry_id: z.string().nullable(),
      operation_id: z.string().nullable(),
      actor: z.string().nullable(),
    })
    .nullable(),
  /** Null: there is no letter. */
  decodes: z
    .union([z.object({ ok: z.literal(true) }), z.object({ ok: z.literal(false), error: z.string() })])
    .nullable(),
  /** What the item says of itself; null when it does not decode. */
  cleanup: z
    .object({
      character_id: z.string(),
      character_name: z.string(),
      realm_id: z.string(),
      zone_id: z.string().nullable(),
      plan: z.enum(["reconnectable", "permanent_removal", "confirmed_transfer"]),
      transfer_activation_confirmed: z.boolean(),
      /** The plan or the confirmed transfer deletes the resume ledger. */
      deletes_resume_ledger: z.boolean(),
    })
    .nullable(),
  /** Of the item's own session token. Null: it was not read, or there is nothing to read it from. */
  session: z.object({ active: z.boolean(), since: instant.nullable(), character_id: z.string().nullable() }).nullable(),
  /** The resume ledger under that token: whether there is one, and whose. */
  resume_ledger: z.object({ present: z.boolean(), character_id: z.string().nullable() }).nullable(),
  /** Where the item's character is online: `own` in this session, `other` in another one, `offline`. */
  presence: z.object({ online: z.enum(["offline", "own", "other"]), since: instant.nullable() }).nullable(),
  steps: z.array(CleanupStep),
  /** What it would write, field by field. */
  fields: z.array(FieldFact),
  fields_cut: z.boolean(),
  /** Later entries and letters of the same session, as far as was looked; `newer_cut`: not all of them were looked at. */
  newer_entries: z.array(z.object({ entry_id: z.string(), enqueued_at: instant.nullable() })),
  newer_letters: z.array(z.object({ dead_letter_id: z.string(), dead_lettered_at: instant.nullable() })),
  newer_cut: z.boolean(),
  recent: z.object({ minutes: z.number().int(), done: z.number().int(), failed: z.number().int() }),
});
export type JournalFacts = z.infer<typeof JournalFacts>;

export const JournalPreflightAnswer = z.object({
  rpc_version: rpcVersion,
  /** By Redis's clock, as every time here. */
  read_at: instant,
  facts: z.array(JournalFacts),
});

/** Read just before the script and never in it. An expectation that cannot be read is not met. */
export const JournalExpect = z.object({
  session: z.enum(["active", "inactive"]).optional(),
  resume_ledger: z.enum(["present", "absent"]).optional(),
});
export type JournalExpect = z.infer<typeof JournalExpect>;

export const JournalBatchItem = z.object({ dead_letter_id: id, expect: JournalExpect.optional() });
export const JournalRequeueBatchRequest = z.object({
  rpc_version: rpcVersion,
  operation_id: uuid,
  items: z.array(JournalBatchItem).min(1).max(BATCH_MAX),
});

export const JournalBatchAnswerItem = z.discriminatedUnion("answer", [
  /** `entry_id` null: the bytes that were put back are no entry. */
  z.object({ answer: z.literal("requeued"), dead_letter_id: id, entry_id: z.string().nullable(), at: instant }),
  z.object({
    answer: z.literal("already_requeued"),
    dead_letter_id: id,
    at: instant,
    entry_id: z.string().nullable(),
    operation_id: z.string().nullable(),
    actor: z.string().nullable(),
  }),
  z.object({
    answer: z.literal("changed"),
    dead_letter_id: id,
    /** `field`: session or resume_ledger. `found` null: it could not be read. */
    changed: z.array(z.object({ field: z.string(), expected: z.string().nullable(), found: z.string().nullable() })),
  }),
  z.object({ answer: z.literal("not_found"), dead_letter_id: id }),
  z.object({ answer: z.literal("undecodable"), dead_letter_id: id, error: z.string() }),
]);
export type JournalBatchAnswerItem = z.infer<typeof JournalBatchAnswerItem>;

/** Answer of the journal's `requeue-batch` and of its `operations/:id` alike. */
export const JournalOperationAnswer = z.object({
  rpc_version: rpcVersion,
  operation_id: uuid,
  server_time: instant,
  answers: z.array(JournalBatchAnswerItem),
});
export type JournalOperationAnswer = z.infer<typeof JournalOperationAnswer>;

import { z } from "zod";

/** The version of these endpoints that both sides must speak. */
export const RPC_VERSION = 1;

/** Where the persistence queue's routes live, and where `info` does. */
export const PERSISTENCE_ROUTES = "/v1/internal/persistence-retry/dead-letters";
export const INFO_ROUTE = "/v1/internal/info";

/** Letters in one preflight or requeue-batch call. */
export const BATCH_MAX = 500;

/** Bounds of `GET …/dead-letters?limit=`. */
export const INSPECT_LIMIT_MAX = 500;
export const INSPECT_LIMIT_DEFAULT = 50;

/**
 * Any UUID that Postgres takes, in small letters as Postgres writes it. Letters are not ours: their ids need not have
 * the version bits of RFC 9562, which `z.uuid()` insists on.
 */
export const uuid = z.guid().toLowerCase();
export const rpcVersion = z.number().int();
/** An instant on the store's clock, ISO 8601 with microseconds, or `infinity`. */
export const instant = z.string().max(64);

/** Every refusal has this body. `message` is a sentence for a person. */
export const ErrorBody = z.object({
  error: z.string(),
  message: z.string(),
  server_time: instant.optional(),
  expected_rpc_version: rpcVersion.optional(),
  given_rpc_version: z.unknown().optional(),
  request_id: z.string().optional(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

/** A refusal's `error` where the store failed before any handler had run; with status 503. */
export const STORE_UNAVAILABLE = "store_unavailable";

export const InfoAnswer = z.object({
  rpc_version: rpcVersion,
  server_time: instant,
  lease_seconds: z.number(),
  retry_limit: z.number().int(),
  backoff_ms: z.number().int(),
  backoff_cap_ms: z.number().int(),
  /** `METHOD path` of each route offered, `:id` for a parameter. */
  routes: z.array(z.string()),
  /** True: `expect.session` is checked before a requeue. Absent or false: an `expect` with a session is never met. */
  checks_session: z.boolean().optional(),
  /** Limits of the session lifecycle journal. Absent: it has none, or does not tell. */
  journal: z.object({ retry_limit: z.number().int(), interval_ms: z.number().int() }).optional(),
});
export type InfoAnswer = z.infer<typeof InfoAnswer>;

export const RequeueRequest = z.object({ rpc_version: rpcVersion, dead_letter_id: uuid });
export const RequeueAnswer = z.object({ requeued: z.boolean(), retry_job_id: uuid.nullish() });

export const DeadLettersAnswer = z.object({
  pending_retry_jobs: z.number().int(),
  active_dead_letters: z.number().int(),
  dead_letters: z.array(
    z.object({
      dead_letter_id: z.string(),
      retry_job_id: z.string(),
      job_kind: z.string(),
      character_id: z.string(),
      realm_id: z.string(),
      zone_id: z.string().nullable(),
      failed_attempts: z.number().int(),
      error: z.string(),
      error_bytes: z.number().int().optional(),
      timestamp: instant,
      source: z.string().nullish(),
      session_impact: z.string().nullish(),
      // session_token stands here on the wire; the schema does not name it, so it is dropped at the crossing.
    }),
  ),
});

export const PreflightRequest = z.object({
  rpc_version: rpcVersion,
  dead_letter_ids: z.array(uuid).min(1).max(BATCH_MAX),
});

/** One field that applying would write: source text of each value; `null`: there is none. */
export const FieldFact = z.object({
  field: z.string(),
  payload: z.string(),
  now: z.string().nullable(),
  after: z.string().nullable(),
  /** `sets` overwrites, `adds` adds to what is there, `same` changes nothing. */
  change: z.enum(["same", "sets", "adds"]),
});
export type FieldFact = z.infer<typeof FieldFact>;

/** What the engine says that applying one letter would do now. */
export const LetterFacts = z.object({
  dead_letter_id: uuid,
  found: z.boolean(),
  requeued: z
    .object({
      at: instant,
      retry_job_id: z.string().nullable(),
      operation_id: z.string().nullable(),
      actor: z.string().nullable(),
    })
    .nullable(),
  decodes: z
    .union([z.object({ ok: z.literal(true) }), z.object({ ok: z.literal(false), error: z.string() })])
    .nullable(),
  /** What the payload says of itself; null when it does not decode. */
  job: z
    .object({
      kind: z.string(),
      semantics: z.enum(["absolute", "additive", "guarded"]),
      character_id: z.string(),
      realm_id: z.string(),
      idempotency_key: z.string(),
      character_version: z.string(),
      issued_at: instant,
    })
    .nullable(),
  character: z.object({ name: z.string(), realm_id: z.string(), version: z.string(), changed_at: instant }).nullable(),
  fields: z.array(FieldFact),
  fields_cut: z.boolean(),
  key_applied: z.object({ at: instant, retry_job_id: z.string() }).nullable(),
  newer_jobs: z.array(z.object({ retry_job_id: z.string(), created_at: instant })),
  newer_letters: z.array(z.object({ dead_letter_id: z.string(), dead_lettered_at: instant })),
  recent: z.object({ minutes: z.number().int(), done: z.number().int(), failed: z.number().int() }),
});
export type LetterFacts = z.infer<typeof LetterFacts>;

/** How the engine's own Postgres is set, as its connections see it. */
export const StoreFacts = z.object({
  in_recovery: z.boolean(),
  read_only: z.boolean(),
  fsync: z.boolean(),
  full_page_writes: z.boolean(),
  /** The setting's own word: `on`, `off`, `local`, `remote_write`, `remote_apply`. */
  synchronous_commit: z.string(),
});
export type StoreFacts = z.infer<typeof StoreFacts>;

/** How far back 'this key was not applied' is proved: the oldest key that is kept, and how long keys are kept. */
export const LedgerFacts = z.object({ since: instant.nullable(), kept_days: z.number() });
export type LedgerFacts = z.infer<typeof LedgerFacts>;

export const PreflightAnswer = z.object({
  rpc_version: rpcVersion,
  read_at: instant,
  facts: z.array(LetterFacts),
  store: StoreFacts.optional(),
  ledger: LedgerFacts.optional(),
});

export const BatchItem = z.object({
  dead_letter_id: uuid,
  expect: z
    .object({ character_version: z.string().nullish(), session: z.enum(["active", "inactive"]).optional() })
    .optional(),
});
export const RequeueBatchRequest = z.object({
  rpc_version: rpcVersion,
  operation_id: uuid,
  items: z.array(BatchItem).min(1).max(BATCH_MAX),
});

export const BatchAnswerItem = z.discriminatedUnion("answer", [
  z.object({ answer: z.literal("requeued"), dead_letter_id: uuid, retry_job_id: uuid, at: instant }),
  z.object({
    answer: z.literal("already_requeued"),
    dead_letter_id: uuid,
    at: instant,
    retry_job_id: z.string().nullable(),
    operation_id: z.string().nullable(),
    actor: z.string().nullable(),
  }),
  z.object({
    answer: z.literal("changed"),
    dead_letter_id: uuid,
    changed: z.array(z.object({ field: z.string(), expected: z.string().nullable(), found: z.string().nullable() })),
  }),
  z.object({ answer: z.literal("not_found"), dead_letter_id: uuid }),
  z.object({ answer: z.literal("undecodable"), dead_letter_id: uuid, error: z.string() }),
]);
export type BatchAnswerItem = z.infer<typeof BatchAnswerItem>;

/** Answer of `requeue-batch` and of `operations/:id` alike. */
export const OperationAnswer = z.object({
  rpc_version: rpcVersion,
  operation_id: uuid,
  server_time: instant,
  answers: z.array(BatchAnswerItem),
});
export type OperationAnswer = z.infer<typeof OperationAnswer>;

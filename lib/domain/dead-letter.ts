import { z } from "zod";

/**
 * The state of a letter in its store: `active` until requeued, then what became of the requeued job as far as the
 * store proves it. `awaiting`: its job still waits or is being worked. `left_unproved`: the job is gone and nothing tells how.
 */
export const LetterState = z.enum(["active", "awaiting", "recovered", "superseded", "died_again", "left_unproved"]);
export type LetterState = z.infer<typeof LetterState>;

/** One try of a job. `error` null: it succeeded. */
export const Attempt = z.object({
  attempt: z.number().int(),
  atMs: z.number(),
  durationMs: z.number(),
  worker: z.string(),
  error: z.string().nullable(),
});
export type Attempt = z.infer<typeof Attempt>;

/** One life of a piece of work: a job that waited, was tried, and died or went on. */
export const Life = z.object({
  jobId: z.string(),
  /** The letter that this life ended in; null while it lives or when it succeeded. */
  letterId: z.string().nullable(),
  /** The letter that this life was requeued from; null for the first. */
  requeuedFrom: z.string().nullable(),
  startedMs: z.number().nullable(),
  endedMs: z.number().nullable(),
  end: z.enum(["waiting", "dead", "recovered", "superseded", "left_unproved"]),
  source: z.string().nullable(),
  attempts: z.array(Attempt),
  /** Null: the engine keeps no attempts. */
  attemptsKept: z.boolean(),
});
export type Life = z.infer<typeof Life>;

/**
 * A letter with everything that its page shows. `payload.text` is source text with secrets masked. Times in ms since
 * 1970.
 */
export const Letter = z.object({
  queue: z.string(),
  id: z.string(),
  /** Null: what died has no id of its own. */
  jobId: z.string().nullable(),
  kind: z.string(),
  /** Null, as its realm: its payload does not tell whose it is. */
  subjectId: z.string().nullable(),
  subjectName: z.string().nullable(),
  realmId: z.string().nullable(),
  zoneId: z.string().nullable(),
  attempts: z.number().int(),
  error: z.string(),
  diedMs: z.number(),
  state: LetterState,
  requeuedMs: z.number().nullable(),
  requeuedJobId: z.string().nullable(),
  errorBytes: z.number().int(),
  impact: z.string().nullable(),
  source: z.string().nullable(),
  idempotencyKey: z.string().nullable(),
  payload: z.object({
    bytes: z.number().int(),
    /** Pretty source text, masked; null when it is not JSON or too large to show. */
    text: z.string().nullable(),
    raw: z.string().nullable(),
    masked: z.array(z.object({ path: z.string(), bytes: z.number().int() })),
    problem: z.string().nullable(),
  }),
  lives: z.array(Life),
});
export type Letter = z.infer<typeof Letter>;

/** What masks hide of a letter, by its own characters. Whoever asks for it is audited. */
export type Revealed = Pick<Letter, "error" | "payload">;

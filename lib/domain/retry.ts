import { z } from "zod";

/** What a waiting or held job is doing, on the database clock. */
export const RetryState = z.enum(["due", "scheduled", "retrying", "leased", "expired"]);
export type RetryState = z.infer<typeof RetryState>;

/** One job of a lease queue as the lists show it: no payload, error cut. Times in ms since 1970. */
export const RetryJob = z.object({
  id: z.string(),
  kind: z.string(),
  subjectId: z.string(),
  subjectName: z.string().nullable(),
  realmId: z.string(),
  zoneId: z.string().nullable(),
  state: RetryState,
  attempts: z.number().int(),
  lease: z.object({ owner: z.string(), untilMs: z.number() }).nullable(),
  nextAttemptMs: z.number(),
  createdMs: z.number(),
  lastError: z.string().nullable(),
  /** The letter that this job was requeued from, where the engine records it. */
  requeuedFrom: z.string().nullable(),
  /** What it does to the player's session, in the game server's word; null: not recorded, or no column for it. */
  impact: z.string().nullable(),
  /** How often its lease was lost without a recorded failure; null: the store does not tell. */
  lostLeases: z.number().int().nullable(),
});
export type RetryJob = z.infer<typeof RetryJob>;

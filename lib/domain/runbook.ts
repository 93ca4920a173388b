import type { LetterState } from "./dead-letter";
import type { Outcome } from "./outcome";
import type { RetryState } from "./retry";

/** The entry of the runbook for each state of a job, and for each that a letter can be in or end in. */
export const STATE_ENTRIES = {
  due: "due-late",
  scheduled: "scheduled",
  retrying: "retrying",
  leased: "leased",
  expired: "lease-expired",
  active: "dead",
  awaiting: "awaiting",
  recovered: "recovered",
  superseded: "superseded",
  died_again: "died-again",
  left_unproved: "left-not-proved",
  skipped: "skipped",
  requeued_elsewhere: "elsewhere",
  left_elsewhere: "elsewhere",
  refused: "refused",
  unknown: "unknown",
} as const satisfies Record<RetryState | LetterState | Outcome, string>;

/** The codes of the preflight's findings; each is the name of its entry. */
export const FINDING_ENTRIES = [
  "payload_decodes",
  "already_applied",
  "character_exists",
  "row_changed",
  "newer_work",
  "reference_missing",
  "row_agrees",
  "engine",
  "no_facts",
  "facts",
  "letter_active",
  "session_active",
  "cause_present",
  "kind_healthy",
  "died_again",
  "poison",
  "store_fit",
  "store_fit_redis",
  "transfer_state",
  "resume_ledger",
  "transfer_confirmed",
  "character_online",
] as const;

/** What can be broken, in the order in which it is looked for. */
export const FAULT_ENTRIES = [
  "locked-rows",
  "missing-right",
  "worker-stopped",
  "worker-frozen",
  "poison",
  "postgres-away",
  "redis-away",
  "read-only-store",
  "catalog-row-missing",
  "durable-only",
  "lost-leases",
  "journal-depths",
  "enqueue-errors",
  "session-degraded",
  "keeper-silent",
] as const;

export type RunbookEntry =
  | (typeof STATE_ENTRIES)[keyof typeof STATE_ENTRIES]
  | (typeof FINDING_ENTRIES)[number]
  | (typeof FAULT_ENTRIES)[number];

/** The address of an entry. */
export const runbookHref = (entry: RunbookEntry): string => `/runbook#${entry}`;

/** SQLSTATEs of an error that an entry is about. */
const BY_SQLSTATE: Record<string, RunbookEntry> = {
  "55P03": "locked-rows",
  "42501": "missing-right",
  "25006": "read-only-store",
  "23503": "catalog-row-missing",
};

/** The entry on what an error says of its cause; null: none is about it. */
export function entryOfError(error: string): RunbookEntry | null {
  if (error.startsWith("poison: ")) return "poison";
  const state = /\b([0-9A-Z]{5}):/.exec(error.slice(0, 200))?.[1] ?? "";
  return BY_SQLSTATE[state] ?? null;
}

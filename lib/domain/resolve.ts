import { REASON_MIN } from "./gate";

/** Letters that one decision takes at most. */
export const RESOLVE_MAX = 1_000;

/** What a person can say of letters that are dead: that nothing is owed for them, and that something is after all. */
export type ResolveVerb = "resolve" | "reopen";

/** How a decision ended. Letters in another state than it is made of (`open`; to reopen: `resolved`) are left alone. */
export type Resolved = { kind: "done"; changed: number; asked: number } | { kind: "incomplete"; missing: string };

/** What a reason still lacks; null: it is one. */
export function reasonLacks(reason: string): string | null {
  return reason.trim().length < REASON_MIN ? `give a reason of at least ${REASON_MIN} characters` : null;
}

/** Letters that one decision takes at most. */
export const RESOLVE_MAX = 1_000;

/** What a person can say of letters that are dead: that nothing is owed for them, and that something is after all. */
export type ResolveVerb = "resolve" | "reopen";

/** How a decision ended. Letters in another state than it is made of (`open`; to reopen: `resolved`) are left alone. */
export type Resolved = { kind: "done"; changed: number; asked: number } | { kind: "incomplete"; missing: string };

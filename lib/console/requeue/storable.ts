import { createHash } from "node:crypto";

/**
 * A value as jsonb can hold it: jsonb refuses NUL and lone surrogates, and either may stand in an error text or a
 * payload that a finding quotes.
 */
export function storable(value: unknown): string {
  return JSON.stringify(value, (_key, part) =>
    typeof part === "string" ? part.toWellFormed().replaceAll("\u0000", "\ufffd") : part,
  );
}

/** What identifies a plan in the audit: a hash over everything that was shown. */
export function planHash(shown: unknown): string {
  return createHash("sha256").update(storable(shown)).digest("hex");
}

import { type Masking, mergedSpans } from "./masking";

/** Stands in a text where something is not shown. */
export const HIDDEN = "‹redacted›";

/** Shorter ones would be found in half of all words. */
const LOOKED_FOR_MIN = 6;
/** An error beside more secrets than this is hidden whole: each is looked for by itself. */
const LOOKED_FOR_MAX = 2_000;

/**
 * A text without what is never shown: what `masking` finds in it, and `known` secrets (from the letter's own payload)
 * wherever they occur. Drivers and servers like to quote what they were given.
 */
export function maskError(error: string, known: readonly string[], masking: Masking): string {
  if (error === "") return error;
  if (known.length > LOOKED_FOR_MAX || known.includes(error)) return HIDDEN;
  let shown = error;
  // The longest first: what is left of one that holds another would tell of it.
  for (const secret of known.toSorted((a, b) => b.length - a.length))
    if (secret.length >= LOOKED_FOR_MIN) shown = shown.replaceAll(secret, HIDDEN);
  let hidden = "";
  let at = 0;
  for (const [from, to] of mergedSpans(masking.find(shown))) {
    hidden += shown.slice(at, from) + HIDDEN;
    at = to;
  }
  return hidden + shown.slice(at);
}

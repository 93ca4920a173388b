const MASK = "‹redacted›";

// A session token that an error text names: `session_token=…`, `"sessionToken": "…"`, `session token …`.
const NAMED = /(session[\s_-]?token["']?\s*(?:[=:]|is|was)?\s*["']?)([^\s"',;)}\]]{6,})/gi;

/**
 * An error text without session tokens: those that it names, and `known` ones (from the letter's own payload) wherever
 * they occur. Drivers and servers like to quote what they were given.
 */
export function maskError(error: string, known: readonly string[] = []): string {
  let shown = error;
  for (const token of known) if (token.length >= 6) shown = shown.replaceAll(token, MASK);
  return shown.replace(NAMED, `$1${MASK}`);
}

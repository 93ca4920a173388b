/**
 * What a page may load and run. Scripts carry the nonce of their answer and load the rest of theirs (`strict-dynamic`);
 * no inline script, no `eval`. Styles come from files alone: React and recharts set the few that a chart needs through
 * the DOM's `style` object, which no policy forbids, and nothing is rendered with a `style` attribute.
 * @param dev live reload needs `eval`, styles that it writes itself, and a socket
 */
export function contentSecurityPolicy(nonce: string, dev: boolean): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ""}`,
    `style-src 'self'${dev ? " 'unsafe-inline'" : ""}`,
    "img-src 'self'",
    "font-src 'self'",
    `connect-src 'self'${dev ? " ws:" : ""}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** A year, and no subdomains: whose they are is not ours to know. */
const HSTS = "max-age=31536000";

/**
 * The headers of a page, beside those that `next.config.mjs` gives to every answer.
 * @param page.publicOrigin what browsers see; only behind TLS is a browser told to come back by TLS alone
 */
export function pageHeaders(page: { policy: string; publicOrigin: string | null }): Record<string, string> {
  return {
    "content-security-policy": page.policy,
    "cache-control": "private, no-store",
    ...(page.publicOrigin?.startsWith("https:") ? { "strict-transport-security": HSTS } : {}),
  };
}

/** Names of this machine for itself, as URLs write them. */
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/**
 * The origins that a request which changes something may come from: the public one; on loopback every name of this
 * machine, at the port that was asked (a page on another port is another program's).
 * @param host the request's Host header
 */
export function acceptedOrigins(publicOrigin: string | null, host: string | null): string[] {
  const base = URL.parse(publicOrigin ?? `http://${host}`);
  if (!base || (publicOrigin === null && host === null)) return [];
  if (base.protocol !== "http:" || !LOOPBACK.includes(base.hostname)) return publicOrigin ? [base.origin] : [];
  return LOOPBACK.map((name) => `http://${name}${base.port ? `:${base.port}` : ""}`);
}

export type OriginVerdict = "accepted" | "origin_missing" | "origin_foreign" | "site_foreign";

/**
 * Next lets a request without an Origin through; this does not. `null` (a sandboxed page) is foreign.
 * @param site Sec-Fetch-Site, where the browser sends it: it must agree (`none`: the address bar, which no page can press)
 */
export function judgeOrigin(
  origin: string | null,
  publicOrigin: string | null,
  host: string | null,
  site: string | null = null,
): OriginVerdict {
  if (!origin) return "origin_missing";
  if (!acceptedOrigins(publicOrigin, host).includes(origin)) return "origin_foreign";
  return site === null || site === "same-origin" || site === "none" ? "accepted" : "site_foreign";
}

/**
 * Whether a page of another site, or of another port of this machine, reads this as a part of its own: a script, a
 * picture, a fetch. Following a link to it is no such thing.
 */
export function isForeignRead(site: string | null, mode: string | null): boolean {
  return (site === "cross-site" || site === "same-site") && mode !== "navigate";
}

/** Whether browsers reach this installation on the machine that it runs on only. */
export function isLoopback(publicOrigin: string | null): boolean {
  return publicOrigin === null || LOOPBACK.includes(URL.parse(publicOrigin)?.hostname ?? "");
}

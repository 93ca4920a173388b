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

export type OriginVerdict = "accepted" | "origin_missing" | "origin_foreign";

/** Next lets a request without an Origin through; this does not. `null` (a sandboxed page) is foreign. */
export function judgeOrigin(origin: string | null, publicOrigin: string | null, host: string | null): OriginVerdict {
  if (!origin) return "origin_missing";
  return acceptedOrigins(publicOrigin, host).includes(origin) ? "accepted" : "origin_foreign";
}

/** Whether browsers reach this installation on the machine that it runs on only. */
export function isLoopback(publicOrigin: string | null): boolean {
  return publicOrigin === null || LOOPBACK.includes(URL.parse(publicOrigin)?.hostname ?? "");
}

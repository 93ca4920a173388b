import { isLoopback } from "@/lib/auth/origin";

/**
 * Where a request came from, for throttling and the audit. On loopback that is this machine, whatever a header claims.
 * Behind a reverse proxy it is the last entry of X-Forwarded-For, which the proxy wrote; those before it are hearsay.
 */
export function addressOf(forwardedFor: string | null, publicOrigin: string | null): string {
  if (isLoopback(publicOrigin)) return "loopback";
  const last = forwardedFor?.split(",").at(-1)?.trim();
  return last && last.length <= 64 ? last : "unknown";
}

import type { Who } from "@/lib/auth/role";

/** How long a viewer who was recognised goes on being one while nobody can be asked. */
const GRACE_MS = 60_000;
/** More viewers than watch one desk; the one seen longest ago makes room. */
const KNOWN_MAX = 500;

/**
 * Whom this process recognised by their session, and when, by its stopwatch. For one use alone: sessions live in
 * Postgres, and while it is away those who watch must still see the numbers of the other store. Whoever is refused is
 * forgotten at once.
 */
export function createKnownViewers(now: () => number = () => performance.now()) {
  const seen = new Map<string, { who: Who; atMs: number }>();
  return {
    remember(token: string, who: Who): void {
      seen.delete(token);
      seen.set(token, { who, atMs: now() });
      const oldest = seen.keys().next().value;
      if (seen.size > KNOWN_MAX && oldest !== undefined) seen.delete(oldest);
    },
    forget(token: string): void {
      seen.delete(token);
    },
    /** Who they were then; null: not recognised, or too long ago. */
    find(token: string): Who | null {
      const known = seen.get(token);
      return known !== undefined && now() - known.atMs < GRACE_MS ? known.who : null;
    },
  };
}

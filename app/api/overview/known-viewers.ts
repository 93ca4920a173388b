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
  const seen = new Map<string, number>();
  return {
    remember(token: string): void {
      seen.delete(token);
      seen.set(token, now());
      const oldest = seen.keys().next().value;
      if (seen.size > KNOWN_MAX && oldest !== undefined) seen.delete(oldest);
    },
    forget(token: string): void {
      seen.delete(token);
    },
    knows(token: string): boolean {
      const at = seen.get(token);
      return at !== undefined && now() - at < GRACE_MS;
    },
  };
}

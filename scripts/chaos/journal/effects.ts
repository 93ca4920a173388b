import { activeKey, presenceKey, resumeKey } from "@/lib/engine/session-lifecycle/sessions/session-store";
import type { Closed } from "./book";
import { type JournalStage, KEYS } from "./stage";

/** What the stores say of one closed stream's player. */
export type Effects = {
  /** The stream that holds the session; null: it is not active. */
  stream: string | null;
  ledger: string | null;
  presence: string | null;
  x: string;
  /** 7 before, and one more for each write. */
  version: string;
};

/** By session token. */
export async function readEffects(
  { chaos, queue }: JournalStage,
  all: readonly Closed[],
): Promise<Map<string, Effects>> {
  const store = { redis: queue.redis, keys: KEYS };
  const found = new Map<string, Effects>();
  for (let at = 0; at < all.length; at += 500) {
    const some = all.slice(at, at + 500).map(({ cleanup }) => cleanup);
    const { rows } = await chaos.pool.query(
      `select character_id, position_x::text as x, version::text as version from characters where character_id = any($1)`,
      [some.map(({ player }) => player.characterId)],
    );
    const written = new Map(rows.map((row) => [row.character_id as string, row]));
    for (const { sessionToken: token, player } of some) {
      const [stream, ledger, presence] = await Promise.all([
        store.redis.hget(activeKey(store, token), "stream"),
        store.redis.hget(resumeKey(store, token), "record"),
        // Where it is doomed, the key is of another type.
        store.redis.hget(presenceKey(store, player.characterId), "state").catch(() => "?"),
      ]);
      const row = written.get(player.characterId);
      found.set(token, { stream, ledger, presence, x: row?.x ?? "", version: row?.version ?? "" });
    }
  }
  return found;
}

/** What is wrong with a cleanup that stands in no list; null: it was done, once, or never began. */
export function wrongIn(closed: Closed, seen: Effects): string | null {
  if (closed.told === "appended") return undone(closed, seen);
  const nothing = untouched(closed, seen);
  if (closed.told === "left") return nothing;
  return nothing === null || undone(closed, seen) === null ? null : `neither done nor left alone: ${show(seen)}`;
}

function untouched({ cleanup }: Closed, seen: Effects): string | null {
  return seen.stream === cleanup.streamId && seen.version === "7" ? null : `not done, and not as it was: ${show(seen)}`;
}

function undone({ cleanup, cameBack }: Closed, seen: Effects): string | null {
  const { plan, player, streamId, resumeLedger } = cleanup;
  if (seen.stream === streamId) return `its session is active still: ${show(seen)}`;
  if (cameBack?.sure && seen.stream !== cameBack.streamId) return `who came back has no session: ${show(seen)}`;
  const moved = seen.x === player.position.x && seen.version === "8";
  if (plan === "confirmed_transfer") return seen.ledger === null && seen.version === "7" ? null : show(seen);
  if (plan === "permanent_removal") return seen.ledger === null && moved ? null : show(seen);
  // Skipped where the player was back before: then nothing was written, or what came before a failure.
  if (cameBack !== null) return seen.version === "7" || moved ? null : show(seen);
  return seen.ledger === resumeLedger && moved && seen.presence === "away" ? null : show(seen);
}

const show = (seen: Effects) => JSON.stringify(seen);

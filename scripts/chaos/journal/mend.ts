import { presenceKey } from "@/lib/engine/session-lifecycle/sessions/session-store";
import { type JournalStage, KEYS } from "./stage";

/** The cause is fixed for so many of those that it dooms: their presence is nobody else's any more. Answers how many. */
export async function mend({ queue, book }: JournalStage, max = Number.POSITIVE_INFINITY): Promise<number> {
  let mended = 0;
  for (const closed of book.closed.values()) {
    if (!closed.doomed) continue;
    if (mended >= max) break;
    await queue.redis.del(presenceKey({ redis: queue.redis, keys: KEYS }, closed.cleanup.player.characterId));
    closed.doomed = false;
    mended += 1;
  }
  return mended;
}

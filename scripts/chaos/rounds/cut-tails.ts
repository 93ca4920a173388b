import { setTimeout as sleep } from "node:timers/promises";
import { readDepths } from "@/lib/engine/durable/redis-work-queue";
import { activeKey } from "@/lib/engine/session-lifecycle/sessions/session-store";
import { goOn } from "@/scripts/chaos/chaos";
import { checkJournal } from "@/scripts/chaos/journal/check";
import { closeMany } from "@/scripts/chaos/journal/close-streams";
import { readHoldings } from "@/scripts/chaos/journal/holdings";
import { type JournalStage, KEYS } from "@/scripts/chaos/journal/stage";
import { count, violated } from "@/scripts/chaos/tally";

const PLAYERS = 120;

/**
 * The end of the append-only file is gone, as after a loss of power: what was answered by then is lost, and no program can
 * bring it back. The check must name each lost entry, and no other; and since the entry came before the removal of the
 * session, each of them still has its session.
 */
export async function cutTails(stage: JournalStage, cuts: number): Promise<void> {
  const { chaos, queue, redis } = stage;
  /**
   * Lost before. Where the cut is in the middle of a script's transaction, Redis (7.0) leaves the first half of it in the
   * file and does not read it; at the next start the end of another transaction stands behind it, and both are read.
   */
  const cutOff = new Set<string>();
  for (let cut = 0; cut < cuts; cut += 1) {
    goOn(chaos);
    // Nobody works: whatever is accepted now waits, and can be counted. Many, so that the cut reaches none of the openings.
    await closeMany(stage, PLAYERS);
    const before = await waiting(stage);
    await redis.crash(chaos.random.int(2_000, 20_000));
    await untilLoaded(stage);
    const gone = before - (await waiting(stage));
    const { lost, violations } = await checkJournal(stage);
    const named = new Set(lost.map(({ entryId }) => entryId));
    const back = (await readHoldings(queue)).filter(({ token }) => cutOff.delete(token)).length;
    if (named.size - back !== gone)
      violated(
        chaos.tally,
        `${gone} entries were cut off, and the check names ${named.size}, of which ${back} came back`,
      );
    for (const violation of violations)
      if (![...named].some((entryId) => violation.includes(entryId ?? "?"))) violated(chaos.tally, violation);
    for (const closed of lost) {
      const token = closed.cleanup.sessionToken;
      const active = await queue.redis.exists(activeKey({ redis: queue.redis, keys: KEYS }, token));
      if (!active) violated(chaos.tally, `entry ${closed.entryId} was cut off, and its session is gone as well`);
      closed.told = "unknown";
      cutOff.add(token);
    }
    count(chaos.tally, "entries that a later start of Redis brought back", back);
    count(chaos.tally, "append-only files cut");
    count(chaos.tally, "entries lost by it, each of them named", named.size);
    chaos.say(`the append-only file cut: ${gone} entries lost, ${named.size} named`);
  }
}

async function waiting({ queue }: JournalStage): Promise<number> {
  return (await readDepths(queue)).pending ?? 0;
}

async function untilLoaded({ queue }: JournalStage): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1, await sleep(25)) {
    if (
      await queue.redis.ping().then(
        () => true,
        () => false,
      )
    )
      return;
  }
  throw new Error("Redis did not come back within 10 s");
}

import { setTimeout as sleep } from "node:timers/promises";
import { goOn } from "@/scripts/chaos/chaos";
import type { JournalStage } from "@/scripts/chaos/journal/stage";
import { journalUnderLoad } from "@/scripts/chaos/journal/under-load";
import { count, violated } from "@/scripts/chaos/tally";

const ROUND = 25;
const AGAIN_WITHIN_MS = 30_000;

/** Redis is killed and comes back with its append-only file; two workers stay, and work again by themselves. */
export async function redisKills(stage: JournalStage, kills: number): Promise<void> {
  const { chaos, redis } = stage;
  for (let done = 0; done < kills; ) {
    const until = Math.min(done + ROUND, kills);
    await journalUnderLoad(stage, `${until} Redis kills`, async (fleet) => {
      const engines = [stage.start(fleet), stage.start(fleet)];
      await Promise.all(engines.map((engine) => engine.ready));
      for (; done < until; done += 1) {
        goOn(chaos);
        await sleep(chaos.random.int(20, 700));
        await redis.crash();
        count(chaos.tally, "Redis kills");
        await untilSettledOnce(stage);
      }
    });
  }
}

/** Some worker has settled something since the server came back. */
async function untilSettledOnce({ chaos, redis, queue }: JournalStage): Promise<void> {
  const settled = async () => {
    const counts = await redis.admin.hgetall(queue.keys.minutes).catch(() => null);
    if (counts === null) return null;
    return Object.entries(counts).reduce((sum, [word, n]) => sum + (word.endsWith(" queued") ? 0 : Number(n)), 0);
  };
  let before: number | null = null;
  for (const end = performance.now() + AGAIN_WITHIN_MS; performance.now() < end; await sleep(50)) {
    const now = await settled();
    if (before !== null && now !== null && now > before) return;
    before ??= now;
  }
  violated(chaos.tally, `nothing was settled within ${AGAIN_WITHIN_MS / 1_000} s after Redis came back`);
}

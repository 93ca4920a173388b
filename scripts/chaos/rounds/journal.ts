import { randomUUID } from "node:crypto";
import { readLetters, requeueBatch } from "@/lib/engine/durable/redis-work-queue";
import type { Chaos } from "@/scripts/chaos/chaos";
import { mend } from "@/scripts/chaos/journal/mend";
import { openJournalStage } from "@/scripts/chaos/journal/stage";
import { drainAndCheck } from "@/scripts/chaos/journal/under-load";
import type { Options } from "@/scripts/chaos/options";
import { violated } from "@/scripts/chaos/tally";
import { cutTails } from "./cut-tails";
import { journalWorkerKills } from "./journal-worker-kills";
import { redisKills } from "./redis-kills";

type Kills = Pick<Options, "journalKills" | "redisKills" | "tailCuts">;

/** The session lifecycle journal: its workers and its Redis killed; in the end every cause is mended and all must be done. */
export async function journal(chaos: Chaos, kills: Kills): Promise<void> {
  const stage = await openJournalStage(chaos);
  try {
    await journalWorkerKills(stage, kills.journalKills);
    await redisKills(stage, kills.redisKills);
    await cutTails(stage, kills.tailCuts);
    await mend(stage);
    for (;;) {
      const letters = await readLetters(stage.queue, { max: 100, first: "oldest" });
      const items = letters.flatMap(({ value }) => (value ? [{ deadLetterId: value.deadLetterId }] : []));
      if (items.length === 0) break;
      await requeueBatch(stage.queue, { operationId: randomUUID(), actor: "chaos", items });
    }
    await drainAndCheck(stage, "every cause was mended and every cleanup requeued");
    const left = await readLetters(stage.queue, { max: 1, first: "oldest" });
    if (left.length > 0) violated(chaos.tally, "letters are left whose cause was mended");
  } finally {
    await stage.end();
  }
}

import { randomUUID } from "node:crypto";
import { readLetters } from "@/lib/engine/durable/redis-work-queue";
import { journalQueue } from "@/lib/engine/session-lifecycle/journal-queue";
import type { Fleet } from "@/scripts/chaos/fleet";
import { keepRequeuing } from "@/scripts/chaos/keep-requeuing";
import { count } from "@/scripts/chaos/tally";
import { mend } from "./mend";
import type { JournalStage } from "./stage";

/** Seldom: most of what fails is to die of it, and more than once. */
const MENDS = 0.05;

/** Requeues letters through the signed endpoint until stopped: one, many, the same operation again, two at once. */
export async function startRequeuing(stage: JournalStage, fleet: Fleet): Promise<{ stop(): Promise<void> }> {
  const { chaos, book } = stage;
  const random = chaos.random.fork();
  const queue = journalQueue(await stage.connect("chaos-requeuing"));

  async function requeueOne(letter: string): Promise<void> {
    const operationId = randomUUID();
    const result = await fleet.client(random)?.journal.requeueOne(letter, { operationId, actor: "chaos" });
    count(chaos.tally, `requeues of cleanups answered: ${result?.kind ?? "no engine"}`);
    if (result?.kind !== "ok" || !result.value.requeued) return;
    book.requeued.push({ operationId, deadLetterId: letter, entryId: result.value.entry_id ?? null });
  }

  async function requeueBatch(id: string, letters: string[]): Promise<void> {
    const items = letters.map((letter) => ({ dead_letter_id: letter }));
    const result = await fleet.client(random)?.journal.requeueBatch(id, items, "chaos");
    count(chaos.tally, `requeues of cleanups answered: ${result?.kind ?? "no engine"}`);
    if (result?.kind !== "ok") return;
    for (const answer of result.value.answers) {
      if (answer.answer !== "requeued") continue;
      book.requeued.push({ operationId: id, deadLetterId: answer.dead_letter_id, entryId: answer.entry_id });
    }
  }

  async function letters(): Promise<string[]> {
    if (random.chance(MENDS)) await mend(stage, random.int(1, 10));
    const seen = await readLetters(queue, { max: 30, first: random.pick(["oldest", "newest"]) });
    const ids = seen.flatMap(({ value }) => (value ? [value.deadLetterId] : []));
    return ids.filter(() => random.chance(0.3)).slice(0, 6);
  }

  return keepRequeuing(random, { letters, one: requeueOne, batch: requeueBatch });
}

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { readLetters } from "@/lib/engine/durable/redis-work-queue";
import { journalQueue } from "@/lib/engine/session-lifecycle/journal-queue";
import type { Fleet } from "@/scripts/chaos/fleet";
import { count } from "@/scripts/chaos/tally";
import { mend } from "./mend";
import type { JournalStage } from "./stage";

const PACE_MS = 120;
/** Seldom: most of what fails is to die of it, and more than once. */
const MENDS = 0.05;

/** Requeues letters through the signed endpoint until stopped: one, many, the same operation again, two at once. */
export async function startRequeuing(stage: JournalStage, fleet: Fleet): Promise<{ stop(): Promise<void> }> {
  const { chaos, book } = stage;
  const random = chaos.random.fork();
  const queue = journalQueue(await stage.connect("chaos-requeuing"));
  const operations: { id: string; letters: string[] }[] = [];
  let stopping = false;

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

  async function act(): Promise<void> {
    if (random.chance(MENDS)) await mend(stage, random.int(1, 10));
    const seen = await readLetters(queue, { max: 30, first: random.pick(["oldest", "newest"]) });
    const ids = seen.flatMap(({ value }) => (value ? [value.deadLetterId] : []));
    const letters = ids.filter(() => random.chance(0.3)).slice(0, 6);
    const [first] = letters;
    if (first === undefined) return;
    const again = operations.length > 0 && random.chance(0.2) ? random.pick(operations) : null;
    const operation = again ?? { id: randomUUID(), letters };
    if (!again) operations.push(operation);
    const asks = random.pick([
      () => [requeueOne(first)],
      () => [requeueBatch(operation.id, operation.letters)],
      () => [requeueOne(first), requeueOne(first), requeueBatch(operation.id, operation.letters)],
      () => [requeueBatch(operation.id, operation.letters), requeueBatch(operation.id, operation.letters)],
      () => [requeueBatch(operation.id, operation.letters), requeueBatch(randomUUID(), letters)],
    ])();
    await Promise.all(asks);
  }

  async function run(): Promise<void> {
    while (!stopping) {
      await act().catch(() => sleep(50));
      await sleep(PACE_MS);
    }
  }

  const running = run();
  return {
    async stop() {
      stopping = true;
      await running;
    },
  };
}

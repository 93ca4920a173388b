import { randomUUID } from "node:crypto";
import { POISON_ERROR } from "@/lib/engine/persistence-retry/judge-lost-claims";
import type { Chaos } from "./chaos";
import type { Fleet } from "./fleet";
import { keepRequeuing } from "./keep-requeuing";
import { count } from "./tally";
import { mendAll, withhold } from "./world";

/** Seldom: most of what fails is to die of it, and more than once. */
const MENDS = 0.005;

/** Requeues letters through the signed endpoint until stopped: one, many, the same operation again, two at once. */
export function startOperator(chaos: Chaos, fleet: Fleet): { stop(): Promise<void> } {
  const { pool, world, book, tally } = chaos;
  const random = chaos.random.fork();

  async function requeueOne(letter: string): Promise<void> {
    const by = { operationId: randomUUID(), actor: "chaos" };
    const result = await fleet.client(random)?.requeueOne(letter, by);
    count(tally, `requeues answered: ${result?.kind ?? "no engine"}`);
    if (result?.kind !== "ok" || !result.value.requeued || !result.value.retry_job_id) return;
    const { retry_job_id } = result.value;
    book.answers.push({
      operationId: null,
      answer: { answer: "requeued", dead_letter_id: letter, retry_job_id, at: "" },
    });
  }

  async function requeueBatch(id: string, letters: string[]): Promise<void> {
    const items = letters.map((letter) => ({ dead_letter_id: letter }));
    const result = await fleet.client(random)?.requeueBatch(id, items, "chaos");
    count(tally, `requeues answered: ${result?.kind ?? "no engine"}`);
    if (result?.kind !== "ok") return;
    for (const answer of result.value.answers) book.answers.push({ operationId: id, answer });
  }

  async function letters(): Promise<string[]> {
    if (random.chance(MENDS)) {
      await mendAll(pool, world);
      withhold(world);
    }
    const { rows } = await pool.query(
      "select dead_letter_id from persistence_job_dead_letters where requeued_at is null and error <> $1 order by random() limit 6",
      [POISON_ERROR],
    );
    return rows.map((row) => row.dead_letter_id as string);
  }

  return keepRequeuing(random, { letters, one: requeueOne, batch: requeueBatch });
}

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "./random";

const PACE_MS = 120;

/** How the letters of one queue are requeued through its signed endpoint, and what was answered is written down. */
export type Requeues = {
  /** Some letters that could go back now, by id. */
  letters(): Promise<string[]>;
  one(letter: string): Promise<void>;
  batch(operationId: string, letters: string[]): Promise<void>;
};

/** Requeues letters until stopped: one, many, the same operation again, two at once. What fails, fails. */
export function keepRequeuing(random: Random, { letters, one, batch }: Requeues): { stop(): Promise<void> } {
  const operations: { id: string; letters: string[] }[] = [];
  let stopping = false;

  async function act(): Promise<void> {
    const some = await letters();
    const [first] = some;
    if (first === undefined) return;
    const again = operations.length > 0 && random.chance(0.2) ? random.pick(operations) : null;
    const operation = again ?? { id: randomUUID(), letters: some };
    if (!again) operations.push(operation);
    const { id } = operation;
    const asks = random.pick([
      () => [one(first)],
      () => [batch(id, operation.letters)],
      () => [one(first), one(first), batch(id, operation.letters)],
      () => [batch(id, operation.letters), batch(id, [...operation.letters].reverse())],
      () => [batch(id, operation.letters), batch(randomUUID(), some)],
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

import fc from "fast-check";
import type { TestQueue } from "@/lib/engine/testing/work-queue";
import type { Command } from "./command";
import { newModel } from "./model";
import { requeueCommands } from "./requeue-commands";
import { runtimeCommands } from "./runtime-commands";
import { settleCommands } from "./settle-commands";
import { workCommands } from "./work-commands";

const { append, take, oneTick } = workCommands;
const { begin, crash, start } = runtimeCommands;
const { settle } = settleCommands;
const { one, batch } = requeueCommands;

/** Each as often as it stands here. */
const COMMANDS: fc.Arbitrary<Command>[] = [
  ...[append, append, take, take, take, oneTick],
  ...[settle, settle, settle, settle, settle],
  ...[begin, begin, crash, crash, start, start],
  ...[one, batch, batch],
];

/** Lengths are random, and some commands are not possible when their turn comes. */
const LONGEST = 3;

export type ModelOptions = {
  runs: number;
  /** That run, on average: some runs are short, some twice as long. */
  commands: number;
  seed?: number;
  path?: string;
  onRun?: (commands: number) => void;
};

/**
 * Random sequences of everything that can happen to the queue and its workers, from an empty queue each. Throws with the
 * seed, the path and the shortest sequence that fails.
 */
export async function runModel(queue: TestQueue, { runs, commands, seed, path, onRun }: ModelOptions): Promise<void> {
  const property = fc.asyncProperty(
    fc.commands(COMMANDS, { maxCommands: Math.ceil(LONGEST * commands), size: "max" }),
    async (sequence) => {
      const ran = { commands: 0 };
      await fc.asyncModelRun(async () => {
        const keys = await queue.admin.keys(`${queue.prefix}:*`);
        if (keys.length > 0) await queue.admin.del(...keys);
        return { model: newModel(), real: { queue, ran } };
      }, sequence);
      onRun?.(ran.commands);
    },
  );
  const where = { ...(seed === undefined ? {} : { seed }), ...(path === undefined ? {} : { path }) };
  await fc.assert(property, { numRuns: runs, ...where });
}

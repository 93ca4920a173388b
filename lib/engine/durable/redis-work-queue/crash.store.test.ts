import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { WorkQueueFailpoint } from "@/lib/engine/failpoint";
import { startEngineProcess } from "@/lib/engine/testing/engine-process";
import { bytesOf, openTestQueue, type TestQueue } from "@/lib/engine/testing/work-queue";
import { type Bundle, bundleProgram } from "@/scripts/testing/bundle-program";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import {
  ackEntries,
  appendItems,
  deadLetterEntry,
  newRuntime,
  readDepths,
  readOperation,
  requeueBatch,
  returnLeftovers,
  takeEntries,
  tick,
} from ".";
import { readEntry } from "./envelope/entry";
import { readLetter } from "./envelope/letter";

let stores: TestStores;
let bundle: Bundle;
let queue: TestQueue;
beforeAll(async () => {
  stores = await openStores("bare");
  bundle = await bundleProgram("lib/engine/testing/work-queue-life.ts");
});
beforeEach(async () => {
  queue = await openTestQueue(stores.redisUrl("engine"), stores.redisUrl("admin"));
});
afterEach(() => queue.close());
afterAll(async () => {
  bundle.remove();
  await stores.close();
});

const GONE = { goneAfterMs: 30_000 };
const number = (item: Buffer | undefined) => (item ? (JSON.parse(item.toString()).n as number) : -1);

/** Which pieces of work are where, by the number in each item; the ids of live entries, which must not repeat. */
async function places() {
  const lists = await bytesOf(queue);
  const entries = [...lists.pending, ...lists.retrying, ...lists.processing].map(readEntry);
  const letters = lists.dead.map(readLetter);
  const ids = entries.map((entry) => entry?.entryId);
  expect(new Set(ids).size).toBe(ids.length);
  return {
    live: entries.map((entry) => number(entry?.item)).sort((a, b) => a - b),
    dead: letters.map((letter) => number(letter?.item)).sort((a, b) => a - b),
  };
}

/** 1 and 2 wait, 3 and 4 have failed, 5 and 6 were held by a runtime that is gone, 7 to 9 are dead. */
async function fill(): Promise<void> {
  const runtime = newRuntime();
  await appendItems(
    queue,
    [7, 8, 9, 3, 4, 5, 6, 1, 2].map((n) => Buffer.from(`{"n":${n}}`)),
  );
  for (const each of await takeEntries(queue, runtime, 3)) await deadLetterEntry(queue, runtime, each, "broken");
  for (let n = 0; n < 2; n += 1) await queue.admin.lmove(queue.keys.pending, queue.keys.retrying, "RIGHT", "LEFT");
  await takeEntries(queue, runtime, 2);
  await queue.admin.hset(queue.keys.runtimes, runtime, "1");
}

/** Everybody who held something is gone; then all that is live is worked off, each once. */
async function workOff(): Promise<number[]> {
  for (const { runtime } of (await readDepths(queue)).runtimes)
    await queue.admin.hset(queue.keys.runtimes, runtime, "1");
  const runtime = newRuntime();
  await returnLeftovers(queue, runtime, GONE);
  await tick(queue);
  const done: number[] = [];
  for (;;) {
    const taken = await takeEntries(queue, runtime);
    if (taken.length === 0) return done.sort((a, b) => a - b);
    expect(await ackEntries(queue, runtime, taken)).toEqual(["acked"]);
    done.push(number(taken[0]?.entry?.item));
  }
}

const LIVE = [1, 2, 3, 4, 5, 6];
const DEAD = [7, 8, 9];

/** The move, where it is ended, and what is live and dead then. */
const CRASHES: [string, WorkQueueFailpoint, live: number[], dead: number[]][] = [
  ["append", "work_queue.append_before", LIVE, DEAD],
  ["append", "work_queue.append_after", [...LIVE, 100], DEAD],
  ["take", "work_queue.take_after", LIVE, DEAD],
  ["ack", "work_queue.settle_before", LIVE, DEAD],
  ["ack", "work_queue.settle_after", [2, 3, 4, 5, 6], DEAD],
  ["retry", "work_queue.settle_before", LIVE, DEAD],
  ["retry", "work_queue.settle_after", LIVE, DEAD],
  ["die", "work_queue.settle_before", LIVE, DEAD],
  ["die", "work_queue.settle_after", [2, 3, 4, 5, 6], [1, ...DEAD]],
  ["tick", "work_queue.tick_after_step", LIVE, DEAD],
  ["return", "work_queue.return_before_step", LIVE, DEAD],
  ["return", "work_queue.return_after_step", LIVE, DEAD],
  ["requeue", "work_queue.requeue_before", LIVE, DEAD],
  ["requeue", "work_queue.requeue_after", [...LIVE, 7], [8, 9]],
];

test.each(CRASHES)(
  "killed in the middle of %s, at %s: each piece of work is in one place, and then done once",
  async (move, point, live, dead) => {
    await fill();
    const operationId = randomUUID();
    const program = [...bundle.program, stores.redisUrl("engine"), queue.prefix, move, operationId];
    const process = startEngineProcess({ BACKSTOP_FAILPOINTS: `${point}=kill` }, { program });
    expect(await process.ended).toBe("SIGKILL");
    expect(await places()).toEqual({ live, dead });
    if (move === "requeue") {
      const items = (await bytesOf(queue)).dead.map((bytes) => ({
        deadLetterId: readLetter(bytes)?.deadLetterId ?? "",
      }));
      await requeueBatch(queue, { operationId, actor: "life", items });
      const answers = await readOperation(queue, operationId);
      expect(answers.map(({ kind }) => kind)).toEqual(["requeued", "requeued", "requeued"]);
      expect(await workOff()).toEqual([...LIVE, ...DEAD]);
    } else {
      expect(await workOff()).toEqual(live);
    }
    const left = await places();
    expect(left).toEqual({ live: [], dead: move === "requeue" ? [] : dead });
  },
);

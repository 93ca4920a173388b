import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { bytesOf, openTestQueue, type TestQueue } from "@/lib/engine/testing/work-queue";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { POISON_ERROR, readLetters, watchPlainProcessing } from ".";

let stores: TestStores;
let queue: TestQueue;
beforeAll(async () => {
  stores = await openStores("bare");
});
beforeEach(async () => {
  queue = await openTestQueue(stores.redisUrl("engine"), stores.redisUrl("admin"));
});
afterEach(() => queue.close());
afterAll(() => stores.close());

const UNCHANGED_MS = 150;
const entry = (id: string) => `{"entry_id":"${id}","attempts":0,"item":1}`;
const take = (...ids: string[]) => queue.admin.lpush(queue.keys.processing, ...ids.map(entry));
const pending = async () => (await bytesOf(queue)).pending.map(String);

test("of the plain list only what has stood there unchanged for its time comes back, in its old order", async () => {
  const watch = watchPlainProcessing(queue, UNCHANGED_MS);
  await take("a", "b");
  expect(await watch.look()).toEqual({ returned: 0, dead: 0 });
  await sleep(UNCHANGED_MS + 20);
  await take("new");
  expect(await watch.look()).toEqual({ returned: 2, dead: 0 });
  expect(await pending()).toEqual([entry("a"), entry("b")]);
  expect((await bytesOf(queue)).processing.map(String)).toEqual([entry("new")]);
  await sleep(UNCHANGED_MS + 20);
  expect(await watch.look()).toEqual({ returned: 1, dead: 0 });
});

test("what went and came again begins anew, and each twin has a time of its own", async () => {
  const watch = watchPlainProcessing(queue, UNCHANGED_MS);
  await take("a");
  await watch.look();
  await queue.admin.del(queue.keys.processing);
  await watch.look();
  await take("a");
  await sleep(UNCHANGED_MS + 20);
  expect(await watch.look()).toEqual({ returned: 0, dead: 0 });
  await sleep(UNCHANGED_MS + 20);
  await take("a");
  expect(await watch.look()).toEqual({ returned: 1, dead: 0 });
  expect((await bytesOf(queue)).processing).toHaveLength(1);
});

test("two watchers bring each back once; what one of them brought back and was taken again is not taken from its new holder", async () => {
  const [one, two] = [watchPlainProcessing(queue, UNCHANGED_MS), watchPlainProcessing(queue, UNCHANGED_MS)];
  await take("a", "b");
  await Promise.all([one.look(), two.look()]);
  await sleep(UNCHANGED_MS + 20);
  expect(await one.look()).toEqual({ returned: 2, dead: 0 });
  // Another writer takes one of them again, byte for byte.
  await queue.admin.lmove(queue.keys.pending, queue.keys.processing, "RIGHT", "LEFT");
  expect(await two.look()).toEqual({ returned: 0, dead: 0 });
  expect(await pending()).toEqual([entry("b")]);
});

test("the third return is a dead letter, unrun", async () => {
  await take("a");
  for (const dead of [0, 0, 1]) {
    const watch = watchPlainProcessing(queue, 0);
    expect(await watch.look()).toEqual({ returned: 1 - dead, dead });
    if (dead === 0) await queue.admin.lmove(queue.keys.pending, queue.keys.processing, "RIGHT", "LEFT");
  }
  const [letter] = await readLetters(queue, { max: 1, first: "oldest" });
  expect(letter?.value).toMatchObject({ entryId: "a", error: POISON_ERROR });
});

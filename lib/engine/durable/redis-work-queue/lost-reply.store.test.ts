import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { idsOf, openTestQueue, type TestQueue } from "@/lib/engine/testing/work-queue";
import { startProxy, type TestProxy } from "@/scripts/testing/proxy";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { until } from "@/scripts/testing/until";
import {
  ackEntries,
  appendItems,
  createWriteRedis,
  deadLetterEntry,
  newRuntime,
  readLetters,
  readOperation,
  requeueBatch,
  retryEntry,
  takeEntries,
  writeTrouble,
} from ".";

let stores: TestStores;
let proxy: TestProxy;
let queue: TestQueue;
/** The queue through the proxy. */
let cut: TestQueue;
let doomed: Redis;
beforeAll(async () => {
  stores = await openStores("bare");
  proxy = await startProxy({ port: Number(new URL(stores.redisUrl("engine")).port) });
});
beforeEach(async () => {
  queue = await openTestQueue(stores.redisUrl("engine"), stores.redisUrl("admin"));
  const url = new URL(stores.redisUrl("engine"));
  url.port = String(proxy.port);
  doomed = createWriteRedis(url.href, "doomed", { commandTimeoutMs: 400 });
  await doomed.connect();
  cut = { ...queue, redis: doomed };
});
afterEach(async () => {
  proxy.set({ kind: "pass" });
  doomed.disconnect();
  await queue.close();
});
afterAll(async () => {
  await proxy.close();
  await stores.close();
});

const ITEM = Buffer.from("{}");
const runtime = newRuntime();
const OPERATION = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff";

/** Does it once beside the proxy first, so that the server knows its script; and answers what is to be done. */
const WRITES: Record<string, { prepare: () => Promise<unknown>; write: () => Promise<unknown>; lists: number[] }> = {
  append: {
    prepare: async () => ackEntries(queue, runtime, await appended()),
    write: () => appendItems(cut, [ITEM]),
    lists: [1, 0, 0, 0],
  },
  take: {
    prepare: async () => {
      await ackEntries(queue, runtime, await appended());
      await appendItems(queue, [ITEM, ITEM]);
    },
    write: () => takeEntries(cut, runtime),
    lists: [1, 0, 1, 0],
  },
  ack: {
    prepare: async () => {
      await ackEntries(queue, runtime, await appended());
      await twinsTaken();
    },
    write: async () => ackEntries(cut, runtime, [await held()]),
    lists: [0, 0, 1, 0],
  },
  retry: {
    prepare: async () => {
      await retryEntry(queue, "nobody", { ...(await appended())[0], ...(await held()) });
      await ackEntries(queue, runtime, [await held()]);
      await twinsTaken();
    },
    write: async () => retryEntry(cut, runtime, await held()),
    lists: [0, 1, 1, 0],
  },
  "dead-letter": {
    prepare: async () => {
      await appended();
      await deadLetterEntry(queue, "nobody", await held(), "x");
      await ackEntries(queue, runtime, [await held()]);
      await twinsTaken();
    },
    write: async () => deadLetterEntry(cut, runtime, await held(), "broken"),
    lists: [0, 0, 1, 1],
  },
  requeue: {
    prepare: async () => {
      await requeueBatch(queue, { operationId: OPERATION, actor: "a", items: [{ deadLetterId: "none" }] });
      await appended();
      await deadLetterEntry(queue, runtime, await held(), "broken");
      const [letter] = await queue.admin.lrangeBuffer(queue.keys.deadLetter, 0, 0);
      await queue.admin.lpush(queue.keys.deadLetter, letter ?? "");
    },
    write: async () => {
      const [letter] = await readLetters(queue, { max: 1, first: "oldest" });
      const items = [{ deadLetterId: letter?.value?.deadLetterId ?? "" }];
      return requeueBatch(cut, { operationId: OPERATION, actor: "a", items });
    },
    lists: [1, 0, 0, 1],
  },
};

async function appended() {
  await appendItems(queue, [ITEM]);
  return takeEntries(queue, runtime);
}

/** Two of the same bytes in hand: a write that went out twice would take both. */
async function twinsTaken(): Promise<void> {
  const [entry] = await appended();
  await queue.admin.lpush(queue.keys.processingOf(runtime), entry?.bytes ?? "");
}

async function held() {
  const [bytes] = await queue.admin.lrangeBuffer(queue.keys.processingOf(runtime), -1, -1);
  const { readEntry } = await import("./envelope/entry");
  const entry = bytes && readEntry(bytes);
  if (!entry) throw new Error("nothing is held");
  return { bytes, entry };
}

/** What only the write has in it; a requeue looks for its letter first, by a script, too. */
const matchOf = (what: string) => (what === "requeue" ? "requeued_from" : "EVALSHA");

const lengths = async () => {
  const { pending, retrying, processing, dead } = await idsOf(queue);
  return [pending.length, retrying.length, processing.length, dead.length];
};

const troubleOf = (write: Promise<unknown>) => write.then(() => "none", writeTrouble);

/** Long enough for a command that was kept to be sent again. */
async function comesBack(): Promise<void> {
  await until(() => doomed.ping().then(Boolean, () => false));
  await sleep(150);
}

test.each(Object.entries(WRITES))(
  "%s, its reply lost: the outcome is unknown, and it was sent once",
  async (what, { prepare, write, lists }) => {
    await prepare();
    proxy.set({ kind: "cut_before_reply", match: matchOf(what) }, 1);
    expect(await troubleOf(write())).toBe("unknown");
    await comesBack();
    expect(await lengths()).toEqual(lists);
  },
);

test.each(Object.entries(WRITES))(
  "%s, cut before the server saw it: nothing comes of it later",
  async (what, { prepare, write }) => {
    await prepare();
    const before = await lengths();
    proxy.set({ kind: "cut_before_request", match: matchOf(what) }, 1);
    expect(await troubleOf(write())).toBe("unknown");
    await comesBack();
    expect(await lengths()).toEqual(before);
  },
);

test("a reply that does not come in time: unknown, and sent once", async () => {
  await WRITES.append?.prepare();
  proxy.set({ kind: "hold_reply", match: "EVALSHA" });
  expect(await troubleOf(appendItems(cut, [ITEM]))).toBe("unknown");
  proxy.cutAll();
  proxy.set({ kind: "pass" });
  await comesBack();
  expect(await lengths()).toEqual([1, 0, 0, 0]);
});

test("while the server is away a write fails at once, was not sent, and is not kept for later", async () => {
  proxy.set({ kind: "cut_before_request" });
  proxy.cutAll();
  await until(async () => doomed.status !== "ready");
  expect(await troubleOf(appendItems(cut, [ITEM]))).toBe("not_sent");
  proxy.set({ kind: "pass" });
  await comesBack();
  expect(await lengths()).toEqual([0, 0, 0, 0]);
});

test("a requeue whose reply was lost is read back by its operation, and asking again gives the same answer", async () => {
  await WRITES.requeue?.prepare();
  proxy.set({ kind: "cut_before_reply", match: matchOf("requeue") }, 1);
  await troubleOf(WRITES.requeue?.write() ?? Promise.resolve());
  await comesBack();
  const answers = await readOperation(queue, OPERATION);
  const made = answers.find(({ kind }) => kind === "requeued");
  const items = [{ deadLetterId: made?.deadLetterId ?? "" }];
  const again = await requeueBatch(cut, { operationId: OPERATION, actor: "a", items });
  expect(again).toEqual({ kind: "answered", answers: [made] });
  expect(await lengths()).toEqual([1, 0, 0, 1]);
});

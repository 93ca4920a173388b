import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { readDepths, readLetters } from "@/lib/engine/durable/redis-work-queue";
import { startProxy } from "@/scripts/testing/proxy";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { closeStream } from "./close-stream";
import { countsOf, type JournalWorld, openJournalWorld, settled, stateOf, until } from "./testing";

vi.setConfig({ testTimeout: 60_000 });

let stores: TestStores;
let pool: pg.Pool;
let world: JournalWorld;
beforeAll(async () => {
  stores = await openStores();
  pool = stores.pool("engine");
});
afterAll(() => stores.close());
beforeEach(async () => {
  world = await openJournalWorld(stores, pool);
});
afterEach(() => world.close());

test("a worker whose answers are lost again and again works each cleanup off once, and keeps none in hand", async () => {
  const proxy = await startProxy({ port: Number(new URL(stores.redisUrl("engine")).port) });
  const url = new URL(stores.redisUrl("engine"));
  url.port = String(proxy.port);
  const cleanups = await Promise.all(Array.from({ length: 8 }, () => world.connect()));
  // Rare enough that the first answer to be lost after an append is, nearly always, that of the take that takes it.
  const worker = await world.work({ intervalMs: 300 }, undefined, url.href);
  for (const cleanup of cleanups) {
    const lost = proxy.nextCut();
    proxy.set({ kind: "cut_before_reply" }, 1);
    await closeStream(world, cleanup);
    await lost;
    await sleep(450);
  }
  expect((await settled(world)).done).toBe(8);
  expect(await countsOf(world)).toMatchObject({ queued: 8, done: 8 });
  expect(await world.admin.llen(world.queue.keys.processingOf(worker.runtime))).toBe(0);
  for (const cleanup of cleanups) {
    expect(await stateOf(world, pool, cleanup)).toMatchObject({ active: false, presence: "away", x: "41.5" });
  }
  await worker.stop();
  await proxy.close();
});

test("a settle that Redis refuses is asked again until it is answered; nothing else is taken meanwhile", async () => {
  const cleanup = await world.connect();
  // Where outcomes of requeued work are kept stands something else: no settle can be written.
  await world.admin.set(world.queue.keys.outcomes, "of another program");
  await closeStream(world, cleanup);
  const worker = await world.work();
  await until(async () => (await stateOf(world, pool, cleanup)).presence === "away");
  await closeStream(world, await world.connect());
  await sleep(600);
  expect(await readDepths(world.queue)).toMatchObject({
    pending: 1,
    runtimes: [{ runtime: worker.runtime, processing: 1 }],
  });
  await world.admin.del(world.queue.keys.outcomes);
  expect(await settled(world)).toEqual({ queued: 2, done: 2 });
});

test.each<[string, Buffer, RegExp]>([
  ["an empty one", Buffer.from(""), /not an entry/],
  ["one that is not JSON", Buffer.from("{"), /not an entry/],
  ["one that is not UTF-8", Buffer.from([0x7b, 0xff, 0x00, 0x7d]), /not an entry/],
  ["an entry whose item is an array", entry("[]"), /item: /],
  ["one whose item lacks its token", entry('{"plan":"reconnectable"}'), /session_token: /],
  ["one of a plan that nobody knows", entry('{"plan":"banish"}'), /plan: /],
])("%s is dead-lettered at once, with what does not parse, and its bytes are kept", async (_what, bytes, error) => {
  await world.admin.lpush(world.queue.keys.pending, bytes);
  await world.work();
  await until(async () => (await world.admin.llen(world.queue.keys.deadLetter)) === 1);
  const [letter] = await readLetters(world.queue, { max: 1, first: "oldest" });
  expect(letter?.value).toMatchObject({ failedAttempts: 1, error: expect.stringMatching(/^parse error: /) });
  expect(letter?.value?.error).toMatch(error);
  const kept = letter?.value?.entryId === "" ? bytes : bytes.subarray(bytes.indexOf('"item":') + 7, -1);
  expect(letter?.value?.item.equals(kept)).toBe(true);
  expect(await world.admin.llen(world.queue.keys.pending)).toBe(0);
});

function entry(item: string): Buffer {
  return Buffer.from(`{"entry_id":"e1","attempts":0,"item":${item}}`);
}

test("a letter's error is in Redis's own words, without the place in a script", async () => {
  const cleanup = await world.connect();
  await world.admin.set(`presence:${cleanup.player.characterId}`, "of another program");
  await closeStream(world, cleanup);
  await world.work({ attemptsMax: 1 });
  await until(async () => (await world.admin.llen(world.queue.keys.deadLetter)) === 1);
  const [letter] = await readLetters(world.queue, { max: 1, first: "oldest" });
  expect(letter?.value?.error).toBe("WRONGTYPE Operation against a key holding the wrong kind of value");
});

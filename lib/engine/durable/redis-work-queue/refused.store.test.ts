import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { bytesOf, openTestQueue, type TestQueue } from "@/lib/engine/testing/work-queue";
import { type OwnRedis, openOwnRedis } from "@/scripts/testing/own-redis";
import {
  ackEntries,
  appendItems,
  deadLetterEntry,
  newRuntime,
  releaseEntry,
  requeueOne,
  retryEntry,
  returnLeftovers,
  takeEntries,
  tick,
  writeTrouble,
} from ".";

// Whatever the server refuses, it refuses before anything of a move is done: what a script has written stays written.

let own: OwnRedis;
let queue: TestQueue;
beforeAll(async () => {
  own = await openOwnRedis();
});
beforeEach(async () => {
  queue = await openTestQueue(own.url("admin"), own.url("admin"));
});
afterEach(() => queue.close());
afterAll(() => own.end());

const runtime = newRuntime();
const gone = newRuntime();
const item = Buffer.from("{}");

async function take(by: string) {
  const [taken] = await takeEntries(queue, by);
  if (!taken?.entry) throw new Error("nothing was taken");
  return { bytes: taken.bytes, entry: taken.entry };
}

async function die(): Promise<string> {
  await appendItems(queue, [item]);
  const dead = await deadLetterEntry(queue, runtime, await take(runtime), "x");
  if (dead.kind !== "dead") throw new Error("not dead");
  return dead.deadLetterId;
}

/** A requeued entry in each place, one more in hand for each way to settle, and a letter. */
async function fill() {
  const deadLetterId = await die();
  const requeued = async () => requeueOne(queue, { deadLetterId: await die(), actor: "a" });
  await requeued();
  await take(gone);
  await queue.admin.hset(queue.keys.runtimes, gone, "1");
  await requeued();
  await retryEntry(queue, runtime, await take(runtime));
  const held = [];
  for (let n = 0; n < 4; n += 1) {
    await requeued();
    held.push(await take(runtime));
  }
  await requeued();
  const [acked, failed, dead, released] = held;
  if (!acked || !failed || !dead || !released) throw new Error("nothing is held");
  return { acked, failed, dead, released, deadLetterId };
}

type Filled = Awaited<ReturnType<typeof fill>>;
type Queue = Pick<TestQueue, "redis" | "keys" | "decode">;

const MOVES: Record<string, (on: Queue, filled: Filled) => Promise<unknown>> = {
  append: (on) => appendItems(on, [item, item]),
  take: (on) => takeEntries(on, runtime),
  ack: (on, { acked }) => ackEntries(on, runtime, [acked]),
  retry: (on, { failed }) => retryEntry(on, runtime, failed),
  "dead-letter": (on, { dead }) => deadLetterEntry(on, runtime, dead, "x"),
  release: (on, { released }) => releaseEntry(on, runtime, released),
  tick,
  return: (on) => returnLeftovers(on, runtime, { goneAfterMs: 1_000 }),
  requeue: (on, { deadLetterId }) => requeueOne(on, { deadLetterId, actor: "a" }),
};

/** Runs every move; answers which were refused, and sees that the others left each element of before in one place. */
async function refusedMoves(on: Queue, filled: Filled): Promise<string[]> {
  const refused: string[] = [];
  const flat = async () =>
    Object.values(await bytesOf(queue))
      .flat()
      .map(String)
      .sort();
  for (const [name, move] of Object.entries(MOVES)) {
    const before = await flat();
    const trouble = await move(on, filled).then(() => null, writeTrouble);
    if (trouble === null) continue;
    expect([name, trouble]).toEqual([name, "refused"]);
    expect([name, await flat()]).toEqual([name, before]);
    refused.push(name);
  }
  return refused;
}

const KINDS = [
  "pending",
  "deadLetter",
  "retrying",
  "runtimes",
  "returns",
  "outcomes",
  "outcomesAt",
  "operations",
  "operationsAt",
] as const;
const WRITERS: Record<(typeof KINDS)[number], string[]> = {
  pending: ["append", "take", "release", "tick", "return", "requeue"],
  deadLetter: ["dead-letter", "return", "requeue"],
  retrying: ["retry", "tick"],
  runtimes: ["take", "return"],
  returns: ["return"],
  outcomes: ["ack", "dead-letter", "return"],
  outcomesAt: ["ack", "dead-letter", "return"],
  operations: ["requeue"],
  operationsAt: ["requeue"],
};

test.each(KINDS)(
  "with a key of another type in the place of %s the moves that write it are refused whole",
  async (kind) => {
    const filled = await fill();
    const key = queue.keys[kind];
    // Its elements are set aside, so that what the lists hold can be counted.
    await queue.admin.del(key);
    await queue.admin.set(key, "another type");
    const lists = { pending: "pending", retrying: "retrying", deadLetter: "dead" } as Record<string, string>;
    const left = lists[kind] ? { ...queue, admin: withoutList(queue.admin, key) } : queue;
    queue = left;
    expect(await refusedMoves(queue, filled)).toEqual(WRITERS[kind]);
  },
);

/** Reads a key of another type as an empty list. */
function withoutList(admin: Redis, key: string): Redis {
  return Object.assign(Object.create(admin) as Redis, {
    lrangeBuffer: (asked: string, ...range: [number, number]) =>
      asked === key ? Promise.resolve([]) : admin.lrangeBuffer(asked, ...range),
  });
}

test.each(["lpush", "rpush", "lrem", "lmove", "lpop", "lpos", "hset", "zadd"])(
  "for a user without the right to %s nothing is lost: a move is refused whole, or leaves a duplicate",
  async (command) => {
    const filled = await fill();
    await queue.admin.acl("SETUSER", "limited", "on", ">limited", "~*", "+@all", `-${command}`);
    const url = new URL(own.url("admin"));
    [url.username, url.password] = ["limited", "limited"];
    const limited = new Redis(url.href);
    /** Every piece of work but the one that is acked, by its entry's id; and how many there are. */
    const works = async () => {
      const ids = Object.values(await bytesOf(queue))
        .flat()
        .map((bytes) => /"(?:entry_id|requeued_from)":"([^"]+)","(?:attempts|failed|op)/.exec(String(bytes))?.[1] ?? "")
        .filter((id) => id !== filled.acked.entry.entryId);
      return new Set(ids);
    };
    const before = await works();
    const refused: string[] = [];
    for (const [name, move] of Object.entries(MOVES)) {
      if (["append", "requeue"].includes(name)) continue;
      const trouble = await move({ ...queue, redis: limited }, filled).then(() => null, writeTrouble);
      if (trouble !== null) refused.push(name);
    }
    limited.disconnect();
    if (command !== "lpop") expect(refused.length).toBeGreaterThan(0);
    expect(await works()).toEqual(before);
  },
);

test("a server out of memory takes nothing in and loses nothing; what is done can be acked all the same", async () => {
  const filled = await fill();
  await own.admin.config("SET", "maxmemory", "1");
  try {
    expect(await refusedMoves(queue, filled)).toEqual(Object.keys(MOVES).filter((name) => name !== "ack"));
  } finally {
    await own.admin.config("SET", "maxmemory", "0");
  }
  expect(await ackEntries(queue, runtime, [filled.acked])).toEqual(["stale"]);
});

test("a replica, and a server without the replicas it must have, refuse every move whole", async () => {
  const filled = await fill();
  await own.admin.config("SET", "min-replicas-to-write", "1");
  expect(await refusedMoves(queue, filled)).toEqual(Object.keys(MOVES));
  await own.admin.config("SET", "min-replicas-to-write", "0");
  await own.admin.replicaof("127.0.0.1", 1);
  try {
    expect(await refusedMoves(queue, filled)).toEqual(Object.keys(MOVES));
  } finally {
    await own.admin.replicaof("NO", "ONE");
  }
});

test("a server that cannot write its append-only file refuses every move whole", async () => {
  const full = await openOwnRedis([], true);
  const before = queue;
  queue = await openTestQueue(full.url("admin"), full.url("admin"));
  try {
    const filled = await fill();
    const write = async () => {
      for (let times = 0; times < 100; times += 1) await full.admin.set("filler", "x".repeat(10_000));
    };
    await expect(write()).rejects.toThrow(/^MISCONF/);
    expect(await refusedMoves(queue, filled)).toEqual(Object.keys(MOVES));
  } finally {
    // The keys are removed when the queue is closed: that is refused as well.
    await full.admin.config("SET", "appendonly", "no");
    await queue.close();
    queue = before;
    await full.end();
  }
});

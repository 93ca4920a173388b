import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import {
  ackEntries,
  appendItems,
  deadLetterEntry,
  findLetters,
  newRuntime,
  readLetters,
  readOperation,
  requeueBatch,
  requeueOne,
  takeEntries,
} from "@/lib/engine/durable/redis-work-queue";
import { bytesOf, idsOf, openTestQueue, type TestQueue } from "@/lib/engine/testing/work-queue";
import { heldBack } from "@/scripts/testing/held-back";
import { openStores, type TestStores } from "@/scripts/testing/stores";

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

/** So many letters, the oldest first. */
async function letters(count: number): Promise<string[]> {
  const runtime = newRuntime();
  await appendItems(
    queue,
    Array.from({ length: count }, (_, n) => Buffer.from(`{"n":${n}}`)),
  );
  for (const taken of await takeEntries(queue, runtime, count)) await deadLetterEntry(queue, runtime, taken, "broken");
  return (await readLetters(queue, { max: count, first: "newest" }))
    .map(({ value }) => value?.deadLetterId ?? "")
    .reverse();
}

/** Ids as long as any, that tell their place. */
const idOf = (name: string, n: number) => `${name}${n}`.padEnd(36, "-");

/** So many letters that begin as ours do, or (`other`) as nobody's; fast to make in thousands. */
async function fillLetters(count: number, name: string, other = false): Promise<void> {
  const all = Array.from({ length: count }, (_, n) => {
    const [id, rest] = [`"dead_letter_id":"${idOf(name, n)}"`, `"entry_id":"e${n}","failed_attempts":8,"error":"x"`];
    return `{${other ? `${rest},${id}` : `${id},${rest}`},"item":${n}}`;
  });
  for (let n = 0; n < count; n += 500) await queue.admin.lpush(queue.keys.deadLetter, ...all.slice(n, n + 500));
}

async function answersOf(operationId: string, ids: readonly string[], expect: unknown = null) {
  const items = ids.map((deadLetterId) => ({ deadLetterId, expect }));
  const ending = await requeueBatch(queue, { operationId, actor: "me", items });
  if (ending.kind !== "answered") throw new Error(ending.kind);
  return ending.answers;
}

test("of ten who requeue one letter at once, one makes an entry, and the others learn which, when and by whom", async () => {
  const [deadLetterId = ""] = await letters(1);
  const workers = await Promise.all(Array.from({ length: 10 }, () => queue.another()));
  const settled = await heldBack(
    queue,
    workers.map((worker, n) => () => requeueOne(worker, { deadLetterId, actor: `op-${n}` })),
  );
  const answers = settled.map((each) => (each.status === "fulfilled" ? each.value : each.reason));
  const winner = answers.findIndex(({ kind }) => kind === "requeued");
  const { entryId, at } = answers[winner];
  for (const [n, answer] of answers.entries()) {
    if (n !== winner) expect(answer).toMatchObject({ kind: "already_requeued", entryId, at, actor: `op-${winner}` });
  }
  expect(await idsOf(queue)).toEqual({ pending: [entryId], retrying: [], processing: [], dead: [] });
});

test("five repeats of one operation at once: one entry, and the same answer for each", async () => {
  const [deadLetterId = ""] = await letters(1);
  const operationId = randomUUID();
  const workers = await Promise.all(Array.from({ length: 5 }, () => queue.another()));
  const ask = { operationId, actor: "me", items: [{ deadLetterId }] };
  const settled = await heldBack(
    queue,
    workers.map((worker) => () => requeueBatch(worker, ask)),
  );
  expect(new Set(settled.map((each) => JSON.stringify(each))).size).toBe(1);
  expect(settled[0]).toMatchObject({ status: "fulfilled", value: { answers: [{ kind: "requeued" }] } });
  expect((await idsOf(queue)).pending).toHaveLength(1);
  expect(await readOperation(queue, operationId)).toHaveLength(1);
});

test("a batch answers in the order asked, each letter for itself, and its answers can be read back", async () => {
  const [gone = "", good = "", changed = "", broken = "", kept = ""] = await letters(5);
  await requeueOne(queue, { deadLetterId: gone, actor: "somebody" });
  const operationId = randomUUID();
  const ids = [changed, "no-such-letter", good, broken, gone];
  const ending = await requeueBatch(queue, {
    operationId,
    actor: "me",
    items: ids.map((deadLetterId) => ({ deadLetterId, expect: { session: "inactive" } })),
    judge: async ({ deadLetterId }, expect) => {
      if (deadLetterId === changed) return { kind: "changed", changed: [{ field: "session", expect }] };
      return deadLetterId === broken ? { kind: "undecodable", error: "no item" } : { kind: "fit" };
    },
  });
  if (ending.kind !== "answered") throw new Error(ending.kind);
  expect(ending.answers).toMatchObject([
    { deadLetterId: changed, kind: "changed", changed: [{ field: "session", expect: { session: "inactive" } }] },
    { deadLetterId: "no-such-letter", kind: "not_found" },
    { deadLetterId: good, kind: "requeued" },
    { deadLetterId: broken, kind: "undecodable", error: "no item" },
    { deadLetterId: gone, kind: "already_requeued", actor: "somebody" },
  ]);
  const read = await readOperation(queue, operationId);
  expect(read).toHaveLength(5);
  expect(read).toEqual(expect.arrayContaining(ending.answers));
  const left = (await readLetters(queue, { max: 9, first: "oldest" })).map(({ value }) => value?.deadLetterId);
  expect(left).toEqual([changed, broken, kept]);
});

test("a later call of an operation adds letters; a letter that comes again gets its kept answer, and nothing is done", async () => {
  const [a = "", b = ""] = await letters(2);
  const operationId = randomUUID();
  const [first] = await answersOf(operationId, [a]);
  const runtime = newRuntime();
  await ackEntries(queue, runtime, await takeEntries(queue, runtime));
  const before = await bytesOf(queue);
  expect(await answersOf(operationId, [a])).toEqual([first]);
  expect(await bytesOf(queue)).toEqual(before);
  const second = await answersOf(operationId, [b, a]);
  expect(second[1]).toEqual(first);
  expect(second[0]).toMatchObject({ kind: "requeued", deadLetterId: b });
  expect(await readOperation(queue, operationId)).toEqual(expect.arrayContaining([first, second[0]]));
});

test("the same operation and letter with another expectation is a mismatch, and nothing is done at all", async () => {
  const [a = "", b = ""] = await letters(2);
  const operationId = randomUUID();
  await answersOf(operationId, [a], { session: "active", resume_ledger: null });
  expect(await answersOf(operationId, [a], { session: "active" })).toHaveLength(1);
  const before = await bytesOf(queue);
  const mismatch = { kind: "operation_mismatch", deadLetterId: a };
  const items = [{ deadLetterId: b }, { deadLetterId: a, expect: { session: "inactive" } }];
  expect(await requeueBatch(queue, { operationId, actor: "me", items })).toEqual(mismatch);
  const within = [{ deadLetterId: a, expect: 1 }, { deadLetterId: a }];
  expect(await requeueBatch(queue, { operationId: randomUUID(), actor: "me", items: within })).toEqual(mismatch);
  expect(await bytesOf(queue)).toEqual(before);
});

test("two calls of one operation that expect different things, at once: one entry, and the other is told of the mismatch", async () => {
  const [deadLetterId = ""] = await letters(1);
  const operationId = randomUUID();
  const workers = [await queue.another(), await queue.another()];
  const settled = await heldBack(
    queue,
    workers.map(
      (worker, n) => () => requeueBatch(worker, { operationId, actor: "a", items: [{ deadLetterId, expect: n }] }),
    ),
  );
  const kinds = settled.map((each) => (each.status === "fulfilled" ? each.value.kind : "failed"));
  expect(kinds.sort()).toEqual(["answered", "operation_mismatch"]);
  expect((await idsOf(queue)).pending).toHaveLength(1);
});

test("after its time on the store's clock nothing is begun", async () => {
  const [deadLetterId = ""] = await letters(1);
  const [seconds] = await queue.admin.time();
  const before = await bytesOf(queue);
  const late = await requeueOne(queue, { deadLetterId, actor: "a", startByMs: (Number(seconds) - 1) * 1_000 });
  expect(late).toMatchObject({ kind: "too_late" });
  expect(await bytesOf(queue)).toEqual(before);
  const inTime = await requeueOne(queue, { deadLetterId, actor: "a", startByMs: (Number(seconds) + 60) * 1_000 });
  expect(inTime).toMatchObject({ kind: "requeued" });
});

test("a batch whose time runs out in its middle answers for what it has begun, and the rest may come again", async () => {
  const ids = await letters(3);
  const [seconds, micros] = await queue.admin.time();
  const items = ids.map((deadLetterId) => ({ deadLetterId }));
  const ask = { operationId: randomUUID(), actor: "a", items };
  let judged = 0;
  const ending = await requeueBatch(queue, {
    ...ask,
    startByMs: Number(seconds) * 1_000 + Number(micros) / 1_000 + 1_000,
    judge: async () => {
      judged += 1;
      if (judged === 2) await sleep(1_100);
      return { kind: "fit" };
    },
  });
  expect(ending).toMatchObject({ kind: "answered", answers: [{ kind: "requeued", deadLetterId: ids[0] }] });
  expect((await idsOf(queue)).pending).toHaveLength(1);
  const later = await requeueBatch(queue, ask);
  expect(later).toMatchObject({
    kind: "answered",
    answers: ids.map((deadLetterId) => ({ kind: "requeued", deadLetterId })),
  });
  expect((await idsOf(queue)).pending).toHaveLength(3);
});

test("of letters with the same bytes each requeue takes one", async () => {
  const [deadLetterId = ""] = await letters(1);
  const [twin] = (await bytesOf(queue)).dead;
  await queue.admin.lpush(queue.keys.deadLetter, twin ?? "");
  const answers = [1, 2, 3].map(() => requeueOne(queue, { deadLetterId, actor: "a" }));
  expect((await Promise.all(answers)).map(({ kind }) => kind)).toEqual(["requeued", "requeued", "already_requeued"]);
  expect(await idsOf(queue)).toMatchObject({ pending: [expect.any(String), expect.any(String)], dead: [] });
});

test("letters are found wherever they are among thousands, whoever wrote them, and removed there and nowhere else", async () => {
  await fillLetters(1_300, "a");
  const ours = await letters(1);
  await fillLetters(1_300, "b", true);
  await queue.admin.lpush(queue.keys.deadLetter, "garbage");
  const a = [0, 499, 500, 777].map((n) => idOf("a", n));
  const wanted = [...a, ...ours, ...[0, 650, 1_299].map((n) => idOf("b", n))];
  const before = (await bytesOf(queue)).dead.map(String);
  expect((await answersOf(randomUUID(), [...wanted].reverse())).map(({ kind }) => kind)).toEqual(
    wanted.map(() => "requeued"),
  );
  const found = (letter: string) => wanted.some((id) => letter.includes(`"${id}"`));
  expect((await bytesOf(queue)).dead.map(String)).toEqual(before.filter((letter) => !found(letter)));
  expect((await idsOf(queue)).pending).toHaveLength(wanted.length);
});

test("letters of 5 MB among small ones are found, a few at a time", async () => {
  await fillLetters(200, "a");
  const long = (name: string) =>
    `{"dead_letter_id":"${idOf(name, 0)}","entry_id":"e","failed_attempts":8,"error":"x","item":"${"y".repeat(5_000_000)}"}`;
  for (const name of ["p", "q", "r"]) await queue.admin.lpush(queue.keys.deadLetter, long(name));
  await fillLetters(200, "b");
  const wanted = [idOf("p", 0), idOf("q", 0), idOf("b", 199)];
  const found = await findLetters(queue, wanted);
  expect(wanted.map((id) => found.get(id)?.place)).toEqual([200, 201, 402]);
});

test("what is removed while letters are searched for makes none of them be passed by", async () => {
  await fillLetters(2_000, "a");
  const searching = await queue.another();
  const { callBuffer } = searching.redis;
  let looks = 0;
  // Between two looks somebody requeues from the tail; at the third look more than windows overlap.
  searching.redis.callBuffer = (async (...args: Parameters<typeof callBuffer>) => {
    const window = await callBuffer.apply(searching.redis, args);
    looks += 1;
    if (looks <= 5) await queue.admin.rpop(queue.keys.deadLetter, looks === 3 ? 150 : 30);
    return window;
  }) as typeof callBuffer;
  const wanted = Array.from({ length: 60 }, (_, n) => idOf("a", 500 + n * 25));
  expect([...(await findLetters(searching, wanted)).keys()].sort()).toEqual(wanted.sort());
});

import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import {
  createWriteRedis,
  readDepths,
  readEntries,
  readLetters,
  requeueBatch,
  type WorkQueue,
  workQueueKeys,
} from "@/lib/engine/durable/redis-work-queue";
import { bareInspect } from "./baseline/journal-inspect";
import { atMost, type Figure } from "./figure";
import { decodeItem, journalEntry, journalLetter } from "./journal-items";
import { median, ratios, rounded, timed } from "./rounds";
import { slowestScript, watchSlow } from "./slow-scripts";
import { openBenchStores } from "./stores";

const KEY = "{session_lifecycle}:bench";
const WAITING = 1_000_000;
const DEAD = 100_000;
const PAGE = 50;
const ROUNDS = 25;
/** Not counted: a desk and an engine have read many pages before the one that somebody waits for. */
const WARM_UP = 20;
const REQUEUED = 10_000;
const BATCH = 500;
const SCRIPT_MAX_MS = 25;

/** Depths and windows of long lists, in turn with the bare commands; then 10,000 letters from anywhere are requeued. */
export async function journalInspect(): Promise<Figure[]> {
  const stores = await openBenchStores();
  const admin = new Redis(stores.redis("admin"));
  const redis = createWriteRedis(stores.redis("engine"), "bench");
  try {
    await redis.connect();
    const queue = { redis, keys: workQueueKeys(KEY), decode: decodeItem };
    await fill(admin, queue.keys.pending, WAITING, journalEntry);
    const ids = Array.from({ length: DEAD }, () => randomUUID() as string);
    await fill(admin, queue.keys.deadLetter, DEAD, (n) => journalLetter(ids[n] ?? "", n));
    const reads = await readFigures(queue);
    return [...reads, ...(await requeueFigures(queue, admin, spread(ids)))];
  } finally {
    admin.disconnect();
    redis.disconnect();
    await stores.end();
  }
}

async function fill(admin: Redis, key: string, count: number, make: (n: number) => Buffer): Promise<void> {
  for (let n = 0; n < count; n += 1_000)
    await admin.lpush(key, ...Array.from({ length: 1_000 }, (_, each) => make(n + each)));
}

/** One letter in ten, in no order at all: the worst that a search from one end can meet. */
function spread(ids: readonly string[]): string[] {
  const chosen = ids.filter((_, n) => n % (DEAD / REQUEUED) === 0);
  return chosen.map((_, n) => chosen[(n * 7_919) % chosen.length] ?? "");
}

async function readFigures(queue: WorkQueue<unknown>): Promise<Figure[]> {
  const bare = bareInspect(queue.redis, KEY);
  const { pending } = queue.keys;
  const middle = WAITING / 2;
  const pairs: [string, number | null, () => Promise<unknown>, () => Promise<unknown>][] = [
    ["depths", 3, () => readDepths(queue), bare.depths],
    [
      "first page of letters",
      3,
      () => readLetters(queue, { max: PAGE, first: "newest" }),
      () => bare.firstLetters(PAGE),
    ],
    [
      "first page of waiting",
      3,
      () => readEntries(queue, pending, { max: PAGE, first: "oldest" }),
      () => bare.firstWaiting(PAGE),
    ],
    [
      "window in the middle of waiting",
      null,
      () => readEntries(queue, pending, { skip: middle, max: PAGE, first: "oldest" }),
      () => bare.waiting(middle, PAGE),
    ],
  ];
  const figures: Figure[] = [];
  for (const [name, most, ours, theirs] of pairs) {
    const [product, baseline]: [number[], number[]] = [[], []];
    for (let round = -WARM_UP; round < ROUNDS; round += 1) {
      const [bareMs, ms] = [await timed(theirs), await timed(ours)];
      if (round < 0) continue;
      baseline.push(bareMs);
      product.push(ms);
    }
    const ratio = rounded(median(ratios(product, baseline)));
    const note = `${rounded(median(product), 3)} ms, least ${rounded(Math.min(...product), 3)}; bare ${rounded(median(baseline), 3)} ms`;
    const what = `${name}, ${WAITING} waiting and ${DEAD} dead, against the bare commands`;
    figures.push(
      most === null
        ? { name: what, value: ratio, unit: "x", goal: "reported", met: null, note }
        : atMost(what, ratio, "x", most, note),
    );
  }
  return figures;
}

async function requeueFigures(queue: WorkQueue<unknown>, admin: Redis, ids: readonly string[]): Promise<Figure[]> {
  await watchSlow(admin);
  const operationId = randomUUID();
  let requeued = 0;
  const ms = await timed(async () => {
    for (let n = 0; n < ids.length; n += BATCH) {
      const items = ids.slice(n, n + BATCH).map((deadLetterId) => ({ deadLetterId }));
      // On a busy machine a call may end before its last letters: it is made again.
      for (let answered = 0; answered < items.length; ) {
        const ending = await requeueBatch(queue, { operationId, actor: "bench", items });
        if (ending.kind !== "answered") throw new Error(ending.kind);
        answered = ending.answers.length;
      }
      requeued += items.length;
    }
  });
  const slowest = await slowestScript(admin);
  const left = await admin.llen(queue.keys.deadLetter);
  const note = `${requeued} requeued from random places, ${left} letters left; ${slowest.count} scripts took 1 ms or more; ${rounded(ms / 1_000, 1)} s in batches of ${BATCH}`;
  const figure = atMost("requeue of 10,000 letters, slowest script", rounded(slowest.ms), "ms", SCRIPT_MAX_MS, note);
  return [{ ...figure, met: figure.met === true && requeued === REQUEUED && left === DEAD - REQUEUED }];
}

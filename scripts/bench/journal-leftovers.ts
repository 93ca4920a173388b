import { Redis } from "ioredis";
import {
  ackEntries,
  appendItems,
  createWriteRedis,
  newRuntime,
  readEntries,
  returnLeftovers,
  takeEntries,
  type WorkQueue,
  workQueueKeys,
} from "@/lib/engine/durable/redis-work-queue";
import type { Figure } from "./figure";
import { decodeItem, journalItem } from "./journal-items";
import { rounded, timed } from "./rounds";
import { slowestScript, watchSlow } from "./slow-scripts";
import { openBenchStores } from "./stores";

const KEY = "{session_lifecycle}:bench";
const LEFTOVERS = 50_000;
const RUNTIMES = 5;
const OTHERS = 5_000;
const STEP = 500;

/** A start finds what five runtimes that are gone had in hand, while another worker takes and acks. */
export async function journalLeftovers(): Promise<Figure[]> {
  const stores = await openBenchStores();
  const admin = new Redis(stores.redis("admin"));
  const [starting, working] = [
    createWriteRedis(stores.redis("engine"), "start"),
    createWriteRedis(stores.redis("engine"), "work"),
  ];
  try {
    await Promise.all([starting.connect(), working.connect()]);
    const queue = { redis: starting, keys: workQueueKeys(KEY), decode: decodeItem };
    await leaveBehind(queue, admin);
    await watchSlow(admin);
    const stop = new AbortController();
    const worker = work({ ...queue, redis: working }, stop.signal);
    let returned = 0;
    const ms = await timed(async () => {
      ({ returned } = await returnLeftovers(queue, newRuntime(), { goneAfterMs: 30_000 }));
    });
    stop.abort();
    const acked = await worker;
    const slowest = await slowestScript(admin);
    const left = await readEntries(queue, queue.keys.pending, { max: 1e6, first: "oldest", bytesMax: 1e9 });
    const numbers = [...acked, ...left.map(({ value }) => (value ? decodeItem(value.item).value.n : -1))];
    const once = numbers.length === LEFTOVERS + OTHERS && new Set(numbers).size === numbers.length;
    return [
      {
        name: "50,000 leftovers brought back by one start while another worker works",
        value: rounded(ms / 1_000),
        unit: "s",
        goal: "each once, none lost",
        met: once && returned === LEFTOVERS && !numbers.includes(-1),
        note: `${returned} returned in steps of ${STEP}, ${acked.length} acked meanwhile, ${left.length} wait; slowest script ${rounded(slowest.ms)} ms`,
      },
    ];
  } finally {
    admin.disconnect();
    starting.disconnect();
    working.disconnect();
    await stores.end();
  }
}

async function leaveBehind(queue: WorkQueue<unknown>, admin: Redis): Promise<void> {
  let n = 0;
  const append = async (count: number) => {
    for (let each = 0; each < count; each += STEP)
      await appendItems(
        queue,
        Array.from({ length: STEP }, () => journalItem(n++)),
      );
  };
  for (let gone = 0; gone < RUNTIMES; gone += 1) {
    const runtime = newRuntime();
    await append(LEFTOVERS / RUNTIMES);
    for (let each = 0; each < LEFTOVERS / RUNTIMES; each += STEP) await takeEntries(queue, runtime, STEP);
    await admin.hset(queue.keys.runtimes, runtime, "1");
  }
  await append(OTHERS);
}

/** Takes one, acks it, and so on; answers which. */
async function work(queue: WorkQueue<{ n: number }>, stop: AbortSignal): Promise<number[]> {
  const runtime = newRuntime();
  const acked: number[] = [];
  while (!stop.aborted) {
    const taken = await takeEntries(queue, runtime);
    const answers = await ackEntries(queue, runtime, taken);
    for (const [at, { item }] of taken.entries()) if (answers[at] === "acked" && item.ok) acked.push(item.value.n);
  }
  return acked;
}

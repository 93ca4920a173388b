import { Redis } from "ioredis";
import {
  ackEntries,
  appendItems,
  createWriteRedis,
  newRuntime,
  takeEntries,
  type WorkQueue,
  workQueueKeys,
} from "@/lib/engine/durable/redis-work-queue";
import { bareJournal } from "./baseline/journal";
import { atLeast, type Figure } from "./figure";
import { decodeItem, journalEntry, journalItem } from "./journal-items";
import { median, ratios, rounded, timed } from "./rounds";
import { openBenchStores } from "./stores";

const ROUNDS = 5;
/** How many at a time, and of how many in all. */
const SIZES = [
  { batch: 100, entries: 100_000, goal: 0.6 },
  { batch: 1, entries: 5_000, goal: 0 },
];
const KEY = "{session_lifecycle}:bench";

/** Append, take and ack, in turn with a bare pipeline of the same commands. */
export async function journal(): Promise<Figure[]> {
  const stores = await openBenchStores();
  const bare = new Redis(stores.redis("engine"));
  const redis = createWriteRedis(stores.redis("engine"), "bench");
  try {
    await redis.connect();
    const queue = { redis, keys: workQueueKeys(KEY), decode: decodeItem };
    const figures: Figure[] = [];
    for (const { batch, entries, goal } of SIZES) {
      const items = Array.from({ length: entries }, (_, n) => journalItem(n));
      const whole = Array.from({ length: entries }, (_, n) => journalEntry(n));
      const [ours, theirs]: [number[], number[]] = [[], []];
      for (let round = 0; round < ROUNDS; round += 1) {
        theirs.push(entries / (await timed(() => bareJournal(bare, `${KEY}:bare`, whole, batch))));
        ours.push(entries / (await timed(() => product(queue, items, batch))));
      }
      const each = ratios(ours, theirs);
      const speed = (values: number[]) => `${Math.round(median(values) * 1_000)} entries/s`;
      const note = `median of ${ROUNDS} rounds, least ${rounded(Math.min(...each))}; ours ${speed(ours)}, bare ${speed(theirs)}`;
      const name = `append, take and ack of ${entries} entries, ${batch} at a time, against the bare commands`;
      const figure = atLeast(name, rounded(median(each)), "x", goal, note);
      figures.push(goal > 0 ? figure : { ...figure, goal: "reported", met: null });
    }
    return figures;
  } finally {
    bare.disconnect();
    redis.disconnect();
    await stores.end();
  }
}

async function product(queue: WorkQueue<unknown>, items: readonly Buffer[], batch: number): Promise<void> {
  const runtime = newRuntime();
  for (let n = 0; n < items.length; n += batch) await appendItems(queue, items.slice(n, n + batch));
  for (let done = 0; done < items.length; ) {
    const taken = await takeEntries(queue, runtime, batch);
    const acked = await ackEntries(queue, runtime, taken);
    done += acked.filter((answer) => answer === "acked").length;
    if (taken.length === 0) throw new Error(`${items.length - done} entries are missing`);
  }
}

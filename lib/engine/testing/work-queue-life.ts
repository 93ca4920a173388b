import {
  ackEntries,
  appendItems,
  createWriteRedis,
  deadLetterEntry,
  newRuntime,
  readLetters,
  requeueBatch,
  retryEntry,
  returnLeftovers,
  takeEntries,
  tick,
  workQueueKeys,
} from "@/lib/engine/durable/redis-work-queue";
import { decodeJson } from "./work-queue";

/** One move in a process of its own, for a failpoint to end. Arguments: URL, prefix of the keys, move, operation. */
const [url = "", prefix = "", move = "", operationId = ""] = process.argv.slice(2);

const queue = { redis: createWriteRedis(url, "life"), keys: workQueueKeys(prefix), decode: decodeJson };
const runtime = newRuntime();

async function taken() {
  const [first] = await takeEntries(queue, runtime);
  if (!first?.entry) throw new Error("nothing was taken");
  return { bytes: first.bytes, entry: first.entry };
}

const MOVES: Record<string, () => Promise<unknown>> = {
  append: () => appendItems(queue, [Buffer.from('{"n":100}')]),
  take: () => takeEntries(queue, runtime, 2),
  ack: async () => ackEntries(queue, runtime, [await taken()]),
  retry: async () => retryEntry(queue, runtime, await taken()),
  die: async () => deadLetterEntry(queue, runtime, await taken(), "broken"),
  tick: () => tick(queue),
  return: () => returnLeftovers(queue, runtime, { goneAfterMs: 30_000 }),
  async requeue() {
    const letters = await readLetters(queue, { max: 500, first: "oldest" });
    const items = letters.flatMap(({ value }) => (value ? [{ deadLetterId: value.deadLetterId }] : []));
    return requeueBatch(queue, { operationId, actor: "life", items });
  },
};

await queue.redis.connect();
await MOVES[move]?.();
queue.redis.disconnect();

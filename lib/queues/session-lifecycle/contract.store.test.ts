import { createHash, randomBytes } from "node:crypto";
import { createReadRedis } from "@/lib/db/redis";
import { findQueue } from "@/lib/queues";
import { type ContractBench, queueContract } from "@/lib/queues/contract";
import { startEngine } from "@/scripts/testing/engine";
import { cleanupItem, dieInJournal, openJournal } from "@/scripts/testing/journal";
import { openStores } from "@/scripts/testing/stores";
import { readLetter } from "./envelope/letter";
import { JOURNAL_KEYS } from "./keys";

const SESSIONS = {
  BACKSTOP_KEY_SESSION_ACTIVE: "session:active:<token>",
  BACKSTOP_KEY_SESSION_RESUME: "session:resume:<token>",
  BACKSTOP_KEY_PRESENCE: "presence:<character_id>",
};

async function open(): Promise<ContractBench> {
  const stores = await openStores();
  const { admin, close } = await openJournal(stores);
  const engine = await startEngine(stores, { ...SESSIONS, SESSION_LIFECYCLE_INTERVAL_MILLIS: "100" });
  const redis = createReadRedis(stores.redisUrl("console"), "contract");
  const sessionActiveKey = SESSIONS.BACKSTOP_KEY_SESSION_ACTIVE;
  const queue = findQueue("session-lifecycle", { game: null, redis, rpc: engine.client(), sessionActiveKey });
  if (!queue) throw new Error("there is no such queue");
  // Deletes a ledger and nothing more: it needs no character in the game.
  const item = () => cleanupItem({ plan: "confirmed_transfer", transfer_activation_confirmed: true });
  const lists = [JOURNAL_KEYS.pending, JOURNAL_KEYS.retrying, JOURNAL_KEYS.processing, JOURNAL_KEYS.deadLetter];
  const all = async () => Promise.all(lists.map((key) => admin.lrangeBuffer(key, 0, -1)));
  let died = 0;
  const diedAt = () => new Date(Date.UTC(2026, 10, 14, 3) + ++died).toISOString();
  return {
    queue,
    die: (count) =>
      dieInJournal(
        admin,
        Array.from({ length: count }, () => ({ item: item(), diedAt: diedAt() })),
      ),
    async dieOddly() {
      const letters = [
        { entryId: "", item: Buffer.from([0xff, 0xfe, 0]), error: "parse error: not UTF-8", attempts: 1 },
        { entryId: "", item: Buffer.alloc(0), error: "parse error: empty", attempts: 1 },
        { item: '{"session_token":9007199254740993,"a":1,"a":2,"b":[],"c":1e400}' },
        { item: randomBytes(1_000_000), error: "x\u0000".repeat(20_000) },
      ].map((letter) => ({ ...letter, diedAt: diedAt() }));
      const ids = await dieInJournal(admin, letters);
      const bytes = [Buffer.alloc(0), Buffer.from("no letter at all"), Buffer.from([0, 0xff]), Buffer.from("[]")];
      for (const each of bytes) await admin.lpush(JOURNAL_KEYS.deadLetter, each);
      return [...ids, ...bytes.map((each) => readLetter(each).id)];
    },
    countDead: () => admin.llen(JOURNAL_KEYS.deadLetter),
    countWaiting: async () => (await admin.llen(JOURNAL_KEYS.pending)) + (await admin.llen(JOURNAL_KEYS.retrying)),
    async countJobsOf(letterId) {
      const runtimes = await admin.hkeys(JOURNAL_KEYS.runtimes);
      const held = await Promise.all(
        runtimes.map((name) => admin.lrangeBuffer(JOURNAL_KEYS.processingOf(name), 0, -1)),
      );
      const live = [...(await all()), ...held].flat().filter((each) => each.includes(`"requeued_from":"${letterId}"`));
      return live.length + (await admin.hexists(JOURNAL_KEYS.outcomes, letterId));
    },
    async snapshot() {
      const hash = createHash("sha256").update(JSON.stringify(await admin.hgetall(JOURNAL_KEYS.operations)));
      for (const each of (await all()).flat()) hash.update(`${each.length} `).update(each);
      return hash.digest("hex");
    },
    async close() {
      redis.disconnect();
      await engine.end();
      await close();
      await stores.close();
    },
  };
}

queueContract("session-lifecycle", open);

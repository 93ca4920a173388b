import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import type pg from "pg";
import { Registry } from "prom-client";
import { createWriteRedis, readDepths } from "@/lib/engine/durable/redis-work-queue";
import { WakeSignal } from "@/lib/engine/durable/wake-signal";
import { createCounters } from "@/lib/engine/persistence-retry/counters";
import { newCharacter } from "@/lib/engine/testing/maker";
import type { CloseDeps } from "./close-stream";
import { createJournalCounters } from "./counters";
import type { RealtimeStreamCleanup } from "./item/cleanup";
import { journalQueue } from "./journal-queue";
import { openSession } from "./sessions/active";
import type { SessionKeys } from "./sessions/session-store";
import { type JournalSettings, type JournalWorker, startJournalWorker } from "./worker";

// What the tests of this folder share.

export const KEYS: SessionKeys = {
  active: "session:active:<token>",
  resume: "session:resume:<token>",
  presence: "presence:<character_id>",
};

/** The same, as the environment of an engine. */
export const KEY_ENV = {
  BACKSTOP_KEY_SESSION_ACTIVE: KEYS.active,
  BACKSTOP_KEY_SESSION_RESUME: KEYS.resume,
  BACKSTOP_KEY_PRESENCE: KEYS.presence,
};

type Stores = { redisUrl: (user: "admin" | "engine") => string };

export type JournalWorld = CloseDeps & {
  /** Somebody who may do everything in Redis. */
  admin: Redis;
  /** A worker with a connection of its own, stopped by `close` at the latest. */
  work(settings?: Partial<JournalSettings>, signal?: WakeSignal, url?: string): Promise<JournalWorker>;
  /** A connected player in Postgres and Redis, and the cleanup of that stream. */
  connect(over?: Partial<RealtimeStreamCleanup>): Promise<RealtimeStreamCleanup>;
  close(): Promise<void>;
};

/** The journal on the real stores, its Redis emptied; the worker is started by the test. */
export async function openJournalWorld(stores: Stores, pool: pg.Pool): Promise<JournalWorld> {
  const admin = new Redis(stores.redisUrl("admin"));
  await admin.flushdb();
  const opened: Redis[] = [];
  const connectRedis = async (url = stores.redisUrl("engine")) => {
    const redis = createWriteRedis(url, "journal-test", { commandTimeoutMs: 1_000 });
    opened.push(redis);
    await redis.connect();
    return redis;
  };
  const redis = await connectRedis();
  const [queue, sessions] = [journalQueue(redis), { redis, keys: KEYS }];
  const signal = new WakeSignal(1);
  const counters = createJournalCounters(new Registry());
  const persistence = { pool, signal: new WakeSignal(1_024), counters: createCounters(), secret: null };
  const workers: JournalWorker[] = [];
  return {
    admin,
    queue,
    sessions,
    signal,
    counters,
    async work(settings = {}, wakes = signal, url) {
      const own = await connectRedis(url);
      const usual = { intervalMs: 30, attemptsMax: 8, goneAfterMs: 30_000, plainUnchangedMs: 600_000 };
      const worker = startJournalWorker({
        queue: journalQueue(own),
        sessions: { redis: own, keys: KEYS },
        persistence,
        counters,
        signal: wakes,
        settings: { ...usual, ...settings },
      });
      workers.push(worker);
      return worker;
    },
    async connect(over = {}) {
      const { characterId, realmId, zoneId } = await newCharacter(pool);
      const cleanup: RealtimeStreamCleanup = {
        sessionToken: `token-${randomUUID()}`,
        player: {
          characterId,
          characterName: "Brannoch",
          realmId,
          zoneId,
          position: { x: "41.5", y: "-7", z: "0.25" },
        },
        runtimeProfile: "realtime",
        resumeLedger: '{"sequence":9007199254740993}',
        transferActivationConfirmed: false,
        plan: "reconnectable",
        streamId: randomUUID(),
        ...over,
      };
      const { sessionToken: token, streamId } = cleanup;
      await openSession(sessions, { token, characterId, streamId: streamId ?? "" });
      return cleanup;
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.stop()));
      for (const each of opened) each.disconnect();
      await admin.flushdb();
      admin.disconnect();
    },
  };
}

/** What was counted, whatever the minute. */
export async function countsOf({ admin, queue }: JournalWorld): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [field, count] of Object.entries(await admin.hgetall(queue.keys.minutes))) {
    const word = field.split(" ")[1] ?? "";
    counts[word] = (counts[word] ?? 0) + Number(count);
  }
  return counts;
}

/** Waits until nothing is live; answers what was counted. */
export async function settled(world: JournalWorld): Promise<Record<string, number>> {
  await until(async () => {
    const { pending, retrying, runtimes } = await readDepths(world.queue);
    const held = runtimes.reduce((sum, { processing }) => sum + (processing ?? 0), 0);
    return (pending ?? 0) + (retrying ?? 0) + held === 0;
  });
  return countsOf(world);
}

/** What is left of a cleanup's player in the stores. */
export async function stateOf({ admin }: JournalWorld, pool: pg.Pool, { sessionToken, player }: RealtimeStreamCleanup) {
  const { rows } = await pool.query("select position_x::text as x from characters where character_id = $1", [
    player.characterId,
  ]);
  const [active, ledger, presence] = await Promise.all([
    admin.exists(`session:active:${sessionToken}`),
    admin.hget(`session:resume:${sessionToken}`, "record"),
    admin.hget(`presence:${player.characterId}`, "state"),
  ]);
  return { active: active === 1, ledger, presence, x: rows[0]?.x as string };
}

/** Asks until it holds; throws after 20 s. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1_000; tries += 1) {
    if (await holds()) return;
    await sleep(20);
  }
  throw new Error("it did not come to that within 20 s");
}

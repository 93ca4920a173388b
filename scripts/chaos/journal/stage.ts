import type { Redis } from "ioredis";
import { createWriteRedis } from "@/lib/engine/durable/redis-work-queue";
import { type JournalQueue, journalQueue } from "@/lib/engine/session-lifecycle/journal-queue";
import type { SessionKeys } from "@/lib/engine/session-lifecycle/sessions/session-store";
import type { Chaos } from "@/scripts/chaos/chaos";
import { type Engine, type Fleet, openFleet } from "@/scripts/chaos/fleet";
import { type OwnRedis, openOwnRedis } from "@/scripts/testing/own-redis";
import { type JournalBook, newJournalBook } from "./book";

export const KEYS: SessionKeys = {
  active: "session:active:<token>",
  resume: "session:resume:<token>",
  presence: "presence:<character_id>",
};

/** As `SETTINGS` of the fleet: short enough that nothing waits. Two attempts, so that what fails dies. */
const JOURNAL_ENV = {
  BACKSTOP_KEY_SESSION_ACTIVE: KEYS.active,
  BACKSTOP_KEY_SESSION_RESUME: KEYS.resume,
  BACKSTOP_KEY_PRESENCE: KEYS.presence,
  SESSION_LIFECYCLE_LIMIT: "2",
  SESSION_LIFECYCLE_INTERVAL_MILLIS: "100",
  SESSION_LIFECYCLE_GONE_MILLIS: "1500",
};

/** A Redis of one's own beside the Postgres of chaos, and everything that was asked of the journal in it. */
export type JournalStage = {
  chaos: Chaos;
  redis: OwnRedis;
  /** Of somebody who may do everything; it never sends anything twice. */
  queue: JournalQueue;
  book: JournalBook;
  openFleet(): Fleet;
  /** One more engine that works the journal. */
  start(fleet: Fleet, env?: Record<string, string>): Engine;
  /** A further connection. */
  connect(name: string): Promise<Redis>;
  end(): Promise<void>;
};

export async function openJournalStage(chaos: Chaos): Promise<JournalStage> {
  // What was answered is on the disk. With `everysec` a write may wait behind an fsync for up to two seconds.
  const redis = await openOwnRedis(["appendfsync always"]);
  const opened: Redis[] = [];
  const connect = async (name: string) => {
    const connection = createWriteRedis(redis.url("admin"), name, { commandTimeoutMs: 2_000 });
    opened.push(connection);
    await connection.connect();
    return connection;
  };
  return {
    chaos,
    redis,
    queue: journalQueue(await connect("chaos")),
    book: newJournalBook(),
    openFleet: () => openFleet(chaos),
    start: (fleet, env = {}) => fleet.start({ ...JOURNAL_ENV, BACKSTOP_ENGINE_REDIS_URL: redis.url("engine"), ...env }),
    connect,
    async end() {
      for (const connection of opened) connection.disconnect();
      await redis.end();
    },
  };
}

import type pg from "pg";
import type { Registry } from "prom-client";
import type { JournalConfig } from "@/lib/config-engine";
import { createWriteRedis } from "@/lib/engine/durable/redis-work-queue";
import { WakeSignal } from "@/lib/engine/durable/wake-signal";
import type { EngineHandlers } from "@/lib/engine/http/handlers";
import { createRedisNonceStore } from "@/lib/engine/http/redis-nonces";
import type { PersistDirectlyDeps } from "@/lib/engine/persistence-retry/persist";
import { type CloseDeps, wake } from "./close-stream";
import { createJournalCounters } from "./counters";
import { createDepthGauges } from "./depth-gauges";
import { journalHandlers } from "./handlers";
import { journalQueue } from "./journal-queue";
import { type JournalWorker, startJournalWorker } from "./worker";

export type JournalDeps = {
  config: JournalConfig;
  registry: Registry;
  /** Where locations go, with the retry worker behind it. Its pool is not closed here. */
  persistence: PersistDirectlyDeps;
  /** Of the routes: what only looks. */
  pool: pg.Pool;
  /** See `ApplyDeps`: the demo's own. */
  afterFirstEffect?: (() => Promise<void>) | null;
  /** False: only the routes, for a store that somebody else works. */
  works: boolean;
};

export type RunningJournal = {
  handlers: NonNullable<EngineHandlers["journal"]>;
  /** What closing a stream needs. */
  close: CloseDeps;
  readGauges: () => Promise<void>;
  /** Finishes the entry in hand. */
  stopWorker(): Promise<void>;
  /** After the routes are closed. */
  disconnect(): void;
};

/** The session lifecycle journal: its worker and its handlers, on connections of their own. A Redis that is away is waited for. */
export function startJournal({ config, registry, persistence, pool, works, ...demo }: JournalDeps): RunningJournal {
  const connect = (name: string) => {
    const redis = createWriteRedis(config.redisUrl, name);
    // Whoever uses it is told when it is not there; the connection itself comes back.
    redis.connect().catch(() => {});
    return redis;
  };
  // A long look of a route must not hold the worker's commands up.
  const [routesRedis, workerRedis] = [connect("engine-journal-routes"), connect("engine-journal")];
  const counters = createJournalCounters(registry);
  const signal = new WakeSignal(1);
  const [queue, routesQueue] = [journalQueue(workerRedis, config.prefix), journalQueue(routesRedis, config.prefix)];
  const sessions = { redis: workerRedis, keys: config.keys };
  const worker: JournalWorker | null = works
    ? startJournalWorker({ queue, sessions, persistence, counters, signal, settings: config, ...demo })
    : null;
  return {
    handlers: {
      ...journalHandlers({
        queue: routesQueue,
        sessions: { redis: routesRedis, keys: config.keys },
        pool,
        wake: () => works && wake({ signal, counters }),
      }),
      nonces: createRedisNonceStore(routesRedis),
    },
    close: { queue, sessions, signal, counters },
    readGauges: createDepthGauges(routesQueue, registry),
    async stopWorker() {
      await worker?.stop();
      workerRedis.disconnect();
    },
    disconnect: () => routesRedis.disconnect(),
  };
}

import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { EngineConfig } from "@/lib/config-engine";
import { createPool } from "@/lib/db/pg";
import { parseRpcKeys } from "@/lib/internal-rpc/keys";
import { WakeSignal } from "./durable/wake-signal";
import { createHandlers } from "./handlers";
import { migrateRpc } from "./http/migrate";
import { createNonceStore } from "./http/nonces";
import { startHttp } from "./http/server";
import { migrateEngine } from "./migrate";
import { storeShape } from "./persistence-retry";
import { createCounters } from "./persistence-retry/counters";
import { createMetrics } from "./persistence-retry/metrics";
import type { BeforeApply } from "./persistence-retry/persist-retry-job";
import { signalRetryWorker } from "./persistence-retry/queue";
import { keepPruning } from "./persistence-retry/retention";
import { startWorker } from "./persistence-retry/worker";
import { startJournal } from "./session-lifecycle";
import { openSessions } from "./sessions";
import { endLeftoverFault, killOnce, runDemo } from "./world";

/** Jobs that may wait in memory for the worker; beyond it a row waits for polling. */
const SIGNAL_CAPACITY = 1_024;

export type Engine = { port: number; stop(): Promise<void> };

/** Migrates, then starts worker, routes and (in the demo) the world. With the seed's routes only: just the routes. */
export async function startEngine(config: EngineConfig): Promise<Engine> {
  const { databaseUrl: url, rpcKeys, retry: settings } = config;
  const { leaseMs } = settings;
  if (rpcKeys === null) throw new Error("BACKSTOP_RPC_KEYS is missing: id:base64[,id:base64], the first signs.");
  // Before anything works: an engine with a weak key must not have begun.
  parseRpcKeys(rpcKeys);
  const workerId = `engine-${hostname().slice(0, 24)}-${process.pid}-${randomBytes(2).toString("hex")}`;
  await migrateRpc({ url });
  const seedOnly = config.routes === "seed";
  if (!seedOnly) await migrateEngine(url, config.demo);

  const pool = (application: string, max: number) => createPool({ url, application, max, statementTimeoutMs: 8_000 });
  const routesPool = pool("engine-routes", 6);
  await storeShape(routesPool);
  if (!seedOnly && !config.demo) await endLeftoverFault(routesPool);
  const signal = new WakeSignal(SIGNAL_CAPACITY);
  const counters = createCounters();
  const sessions = openSessions(config);
  const journalPool = config.journal && pool("engine-journal", 3);
  const journal =
    config.journal &&
    journalPool &&
    startJournal({
      config: config.journal,
      registry: counters.registry,
      persistence: { pool: journalPool, signal, counters, secret: config.secret },
      pool: routesPool,
      afterFirstEffect: config.demo ? () => killOnce(routesPool) : null,
      works: !seedOnly,
    });
  const stopped = new AbortController();
  const background: Promise<void>[] = [];
  const ends: (() => Promise<void>)[] = [];

  if (!seedOnly) {
    const workerPool = pool("engine-worker", 2);
    const work = (beforeApply: BeforeApply | null) =>
      startWorker({ pool: workerPool, settings, signal, counters, workerId, beforeApply });
    const worker = config.demo ? null : work(null);
    const demo =
      worker === null &&
      runDemo(
        {
          url,
          openPool: pool,
          work,
          leaseMs,
          close: journal?.close ?? null,
          redisUrl: config.demoRedisUrl,
          workerId,
          signal,
          counters,
          secret: config.secret,
        },
        stopped.signal,
      );
    ends.push(async () => {
      await Promise.all([worker?.stop(), demo]);
      await workerPool.end();
    });
    background.push(keepPruning(workerPool, config, stopped.signal));
  }
  const http = await startHttp({
    host: config.host,
    port: config.port,
    audience: config.rpcAudience,
    rpcKeys,
    nonces: createNonceStore(routesPool),
    routes: config.routes,
    timeouts: { closeMs: 5_000 },
    metrics: { token: config.metricsToken, ...createMetrics(routesPool, counters, journal?.readGauges) },
    handlers: createHandlers({
      pool: routesPool,
      settings,
      appliedKeysDays: config.appliedKeysDays,
      demo: config.demo,
      redisCanRefuse: config.demoRedisUrl !== null,
      journal: journal?.handlers ?? null,
      journalStores: journal?.close ?? null,
      journalConfig: config.journal,
      readSessions: sessions?.read ?? null,
      // Without a worker the row waits for whoever polls this store.
      signal: (retryJobId) => {
        if (!seedOnly) signalRetryWorker({ signal, counters }, retryJobId);
      },
    }),
  });
  return {
    port: http.port,
    async stop() {
      stopped.abort();
      await Promise.all([...ends.map((end) => end()), ...background, http.close()]);
      // After the demo: whose players leave now leave entries behind.
      await journal?.stopWorker();
      await journalPool?.end();
      await routesPool.end();
      journal?.disconnect();
      sessions?.close();
    },
  };
}

import { type EngineProcess, startEngineProcess } from "@/lib/engine/testing/engine-process";
import { createRpcClient } from "@/lib/internal-rpc/client";
import { parseRpcKeys } from "@/lib/internal-rpc/keys";
import type { Chaos } from "./chaos";
import type { Random } from "./random";
import { count, most, violated } from "./tally";

/** Short enough that nothing waits, long enough that a busy machine keeps its leases. */
export const SETTINGS = {
  PERSISTENCE_RETRY_LEASE_MILLIS: "2000",
  PERSISTENCE_RETRY_TRANSACTION_MILLIS: "1000",
  PERSISTENCE_RETRY_POLL_MILLIS: "50",
  PERSISTENCE_RETRY_BATCH: "16",
  PERSISTENCE_RETRY_LIMIT: "2",
  PERSISTENCE_RETRY_BACKOFF_MILLIS: "20",
  PERSISTENCE_RETRY_BACKOFF_CAP_MILLIS: "100",
};
export const AUDIENCE = "engine.backstop.internal";

export type Engine = EngineProcess & { port: number | null; over: boolean };

export type Fleet = {
  /** One more engine. `port`: of a proxy before Postgres. */
  start(env?: Record<string, string>, port?: number): Engine;
  running(): Engine[];
  /** A client of one of those that are ready; null while none is. */
  client(random: Random): ReturnType<typeof createRpcClient> | null;
  clientOf(engine: Engine): ReturnType<typeof createRpcClient> | null;
  end(): Promise<void>;
};

/** Engines as processes. What they log is counted; one that ends by itself with a code is a violation. */
export function openFleet({ postgres, tally, engineProgram }: Chaos, database?: string): Fleet {
  const engines = new Set<Engine>();
  const keys = parseRpcKeys(postgres.rpcKeys);
  const listen = (fields: Record<string, unknown>) => {
    if (fields.event === "suspect") most(tally, "most leases that a row lost", Number(fields.lost_leases));
    if (fields.event === "leases_lost") count(tally, "leases lost", Number(fields.count));
    if (fields.event === "stale_settle") count(tally, "stale settles, refused and counted");
    if (fields.event === "worker_recovered") count(tally, "times that a worker came back by itself");
    if (fields.event === "dead_letter") count(tally, "dead letters");
    if (fields.event === "journal_stale_settle") count(tally, "cleanups settled too late, refused and counted");
    if (fields.event === "journal_recovered") count(tally, "times that a journal worker came back by itself");
    if (fields.event === "cleanup_dead") count(tally, "dead cleanups");
    if (fields.event !== "journal_returned") return;
    count(tally, "cleanups brought back from workers that were gone", Number(fields.returned));
    count(tally, "cleanups dead at their third return", Number(fields.dead));
  };
  const clientAt = (port: number) =>
    createRpcClient({
      engineUrl: `http://127.0.0.1:${port}`,
      audience: AUDIENCE,
      keys,
      bounds: { callTimeoutMs: 4_000 },
    });
  return {
    start(env = {}, port) {
      const started = startEngineProcess(
        {
          BACKSTOP_ENGINE_DATABASE_URL: postgres.url("engine", { port, database }),
          BACKSTOP_RPC_KEYS: postgres.rpcKeys,
          ...SETTINGS,
          ...env,
        },
        { onEvent: listen, program: engineProgram },
      );
      const engine: Engine = { ...started, port: null, over: false };
      engines.add(engine);
      started.ready.then(
        (at) => {
          engine.port = at;
        },
        () => {},
      );
      void started.ended.then((how) => {
        engine.over = true;
        engines.delete(engine);
        if (typeof how !== "number" || how === 0) return;
        // Without its store it cannot start, and says so. One that has started stays, whatever the store does.
        if (engine.port === null) count(tally, "engines that could not start while Postgres was away");
        else violated(tally, `an engine ended by itself with ${how}`);
      });
      return engine;
    },
    running: () => [...engines],
    client(random) {
      const ports = [...engines].map((engine) => engine.port).filter((port) => port !== null);
      return ports.length === 0 ? null : clientAt(random.pick(ports));
    },
    clientOf: ({ port }) => (port === null ? null : clientAt(port)),
    async end() {
      const all = [...engines];
      for (const engine of all) {
        engine.kill("SIGCONT");
        engine.kill("SIGKILL");
      }
      await Promise.all(all.map((engine) => engine.ended));
    },
  };
}

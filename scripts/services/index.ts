import { startGuard } from "./guard";
import { DATABASE, keepPostgres, keepRedis } from "./kept-servers";
import { lockStateDir } from "./lock";
import type { Role } from "./prepare-database";
import { demoPassword } from "./redis-config";
import { readSecrets, type Secrets } from "./secrets";
import type { ServerProcess } from "./server-process";
import { removeOrphans } from "./servers-folder";
import { type Layout, layOut, makeStateDir } from "./state-dir";
import type { Kept } from "./supervise";

export { StateDirHeld } from "./lock";
export { prepareDatabase } from "./prepare-database";

export type ServicesOptions = {
  /** Everything that is kept; made if absent. One starter at a time holds it. */
  stateDir: string;
  log?: (line: string) => void;
  /** Starts a server that ends again. */
  supervise?: boolean;
  /** Shares the programs (copied and downloaded) between state folders: for tests. */
  binDir?: string;
  /** No waiting for the disk: for tests that do not ask what survives a power cut. */
  fast?: boolean;
  /** The servers end with this process, even when it is killed: for tests and benches. Otherwise the next start goes on using them. */
  endWithStarter?: boolean;
  /** Called once the folder is ours, before anything is started. */
  onLocked?: () => void;
  /** Aborted: a download in progress is given up. */
  signal?: AbortSignal;
};

export type Services = {
  postgres: {
    port: number;
    database: string;
    url(role: Role | "postgres", database?: string): string;
    pid(): number;
  };
  redis: { port: number; url(user: "console" | "engine" | "admin" | "demo", db?: number): string; pid(): number };
  secrets: { backstopSecret: string; rpcKeys: string };
  /** 0700 of the starter, for logs of its other children. */
  logsDir: string;
  /** Ends both servers, waits until they are gone and lets go of the folder. */
  stop(): Promise<void>;
  /** Ends both at once, without waiting: at most the last second of Redis is lost, Postgres recovers at its start. */
  kill(): void;
};

/**
 * Starts (or goes on using) the Postgres and the Redis of a state folder: real servers on loopback ports, with random
 * passwords, least rights, and the default database prepared. First time about 8 s where Redis must be downloaded,
 * about 2 s where not; later 0.2 s.
 * @throws StateDirHeld when another process holds the folder; else an Error whose message is one clear line
 */
export async function startServices(options: ServicesOptions): Promise<Services> {
  const log = options.log ?? (() => {});
  const stateDir = makeStateDir(options.stateDir);
  const unlock = await lockStateDir(stateDir);
  const guard = options.endWithStarter ? startGuard() : undefined;
  const letGo = async () => {
    await guard?.release();
    await unlock();
  };
  try {
    options.onLocked?.();
    removeOrphans(log);
    const layout = layOut(stateDir, options.binDir);
    const secrets = readSecrets(stateDir);
    const opened = await Promise.allSettled([
      keepPostgres(layout, secrets, options, guard),
      keepRedis(layout, secrets, options, guard),
    ]);
    const [postgres, redis] = opened;
    const failed = opened.find((result) => result.status === "rejected");
    if (failed || postgres.status === "rejected" || redis.status === "rejected") {
      await Promise.all(opened.map((result) => (result.status === "fulfilled" ? result.value.stop() : undefined)));
      throw failed?.reason;
    }
    return describe(layout, secrets, postgres.value, redis.value, letGo);
  } catch (error) {
    await letGo();
    throw error;
  }
}

type KeptRunning = Kept<ServerProcess & { port: number }>;

function describe(
  layout: Layout,
  secrets: Secrets,
  postgres: KeptRunning,
  redis: KeptRunning,
  letGo: () => Promise<void>,
): Services {
  const [postgresPort, redisPort] = [postgres.current().port, redis.current().port];
  return {
    postgres: {
      port: postgresPort,
      database: DATABASE,
      url: (role, database = DATABASE) =>
        `postgresql://${role}:${secrets.postgres[role]}@127.0.0.1:${postgresPort}/${encodeURIComponent(database)}`,
      pid: () => postgres.current().pid,
    },
    redis: {
      port: redisPort,
      url: (user, db = 0) => {
        const password = user === "demo" ? demoPassword(secrets.redis) : secrets.redis[user];
        return `redis://${user}:${password}@127.0.0.1:${redisPort}/${db}`;
      },
      pid: () => redis.current().pid,
    },
    secrets: { backstopSecret: secrets.backstopSecret, rpcKeys: secrets.rpcKeys },
    logsDir: layout.logs,
    async stop() {
      await Promise.all([postgres.stop(), redis.stop()]);
      await letGo();
    },
    kill() {
      for (const [server, signal] of [[postgres, "SIGQUIT"] as const, [redis, "SIGKILL"] as const]) server.kill(signal);
    },
  };
}

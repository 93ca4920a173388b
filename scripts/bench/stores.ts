import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { migrate } from "@/lib/db/migrate";
import { migrateEngine } from "@/lib/engine/migrate";
import { prepareDatabase, startServices } from "@/scripts/services";

export type BenchStores = {
  /** A database with the engine's tables, empty; its URL as the engine's role. */
  database(name: string): Promise<string>;
  /** A database with the console's own schema, empty; its URLs as the console's working role and as the schema's owner. */
  own(name: string): Promise<{ own: string; owner: string }>;
  /** The URL of a database as the role that may do everything. */
  admin(name: string): string;
  /** The URL of the Redis, as that user. */
  redis(user: "engine" | "admin"): string;
  /** A plain pool of the engine's role, closed with the stores. */
  pool(url: string, max?: number): pg.Pool;
  end(): Promise<void>;
};

/** Servers of the bench's own, set as the product sets them: a commit waits for the disk. */
export async function openBenchStores(): Promise<BenchStores> {
  const stateDir = join(tmpdir(), `backstop-bench-${randomBytes(6).toString("hex")}`);
  const binDir = join(process.cwd(), "node_modules/.cache/backstop-bin");
  // The services' own handles keep no process alive: without this it would end while it waits for theirs.
  const alive = setInterval(() => {}, 60_000);
  const services = await startServices({ stateDir, binDir, endWithStarter: true });
  const pools: pg.Pool[] = [];
  return {
    async database(name) {
      await prepareDatabase(services.postgres.url("postgres", "postgres"), name);
      const url = services.postgres.url("engine", name);
      await migrateEngine(url, false);
      return url;
    },
    async own(name) {
      const { url } = services.postgres;
      await prepareDatabase(url("postgres", "postgres"), name);
      await migrate({ migrateUrl: url("backstop_migrate", name), ownUrl: url("backstop_own", name) });
      return { own: url("backstop_own", name), owner: url("backstop_migrate", name) };
    },
    admin: (name) => services.postgres.url("postgres", name),
    redis: (user) => services.redis.url(user),
    pool(url, max = 2) {
      const pool = new pg.Pool({ connectionString: url, max, idleTimeoutMillis: 0 });
      // A connection that is still closing when the server ends says so, and nobody asks any more.
      pool.on("error", () => {});
      pools.push(pool);
      return pool;
    },
    async end() {
      await Promise.all(pools.map((pool) => pool.end()));
      await services.stop();
      rmSync(stateDir, { recursive: true, force: true });
      clearInterval(alive);
    },
  };
}

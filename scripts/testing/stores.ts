import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { inject } from "vitest";
import { prepareDatabase } from "@/scripts/services";
import { type Template, templateDatabase } from "./templates";

type Role = keyof ReturnType<typeof inject<"stores">>["postgres"];
type User = keyof ReturnType<typeof inject<"stores">>["redis"];

export type TestStores = {
  database: string;
  /** This file's own database, as the role. */
  postgresUrl: (role: Role) => string;
  /** The run's Redis, in a logical database of this worker's own, emptied when the file began. */
  redisUrl: (user: User) => string;
  backstopSecret: string;
  rpcKeys: string;
  /** A plain pool, closed with the stores. */
  pool: (role: Role, max?: number) => pg.Pool;
  /** As `pool`, with all its connections made: a race must not wait for one. */
  warmPool: (role: Role, max: number) => Promise<pg.Pool>;
  /** Closes the pools and drops the database. */
  close: () => Promise<void>;
};

/** A database of this file's own, copied from a template. Call it in `beforeAll`, and `close` in `afterAll`. */
export async function openStores(template: Template = "full"): Promise<TestStores> {
  const given = inject("stores");
  const database = `test_${randomBytes(6).toString("hex")}`;
  const admin = given.postgres.postgres;
  await withAdmin(admin, (client) =>
    client.query(`create database ${database} template ${templateDatabase(template)}`),
  );
  // A copy has no grants of its own on the database.
  await prepareDatabase(admin, database);
  const postgresUrl = (role: Role) => withPath(given.postgres[role], database);
  const pools: pg.Pool[] = [];
  const pool = (role: Role, max = 4) => {
    const made = new pg.Pool({ connectionString: postgresUrl(role), max, idleTimeoutMillis: 0 });
    made.on("error", () => {});
    pools.push(made);
    return made;
  };
  return {
    database,
    postgresUrl,
    redisUrl: (user) => withPath(given.redis[user], process.env.VITEST_POOL_ID ?? "0"),
    backstopSecret: given.backstopSecret,
    rpcKeys: given.rpcKeys,
    pool,
    async warmPool(role, max) {
      const made = pool(role, max);
      const clients = await Promise.all(Array.from({ length: max }, () => made.connect()));
      for (const client of clients) client.release();
      return made;
    },
    async close() {
      // A test that failed may have kept a connection: the drop ends it.
      await Promise.race([Promise.all(pools.map((pool) => pool.end())), sleep(2_000)]);
      await withAdmin(admin, (client) => client.query(`drop database ${database} with (force)`));
    },
  };
}

function withPath(url: string, path: string): string {
  const changed = new URL(url);
  changed.pathname = `/${path}`;
  return changed.href;
}

async function withAdmin<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

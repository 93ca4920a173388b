import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { migrateRpc } from "@/lib/engine/http/migrate";
import { migrateEngine } from "@/lib/engine/migrate";
import { startGuard } from "@/scripts/services/guard";
import { DATABASE, keepPostgres } from "@/scripts/services/kept-servers";
import { lockStateDir } from "@/scripts/services/lock";
import { postgresBinaries } from "@/scripts/services/postgres-binaries";
import { openPostgres, type PostgresSetup, stopPostgres } from "@/scripts/services/postgres-server";
import { type Role, withClient } from "@/scripts/services/prepare-database";
import { waitGone } from "@/scripts/services/processes";
import { resetState } from "@/scripts/services/reset-state";
import { readSecrets } from "@/scripts/services/secrets";
import { layOut, makeStateDir } from "@/scripts/services/state-dir";

/** `all`: SIGKILL of every process of the server. `immediate`: its own emergency stop. `backend`: SIGKILL of one session, at which the server restarts itself. */
export const CRASHES = ["all", "immediate", "backend"] as const;
export type Crash = (typeof CRASHES)[number];

export type OwnPostgres = {
  port: number;
  rpcKeys: string;
  backstopSecret: string;
  url(role: Role | "postgres", at?: { port?: number | undefined; database?: string | undefined }): string;
  /** A plain pool whose lost connections are nobody's error; closed with the server. */
  pool(role: Role | "postgres", max?: number, database?: string): pg.Pool;
  /** Answers once it takes connections again. */
  crash(how: Crash): Promise<void>;
  /** A further database, migrated and empty. */
  newDatabase(name: string): Promise<void>;
  end(): Promise<void>;
};

/** A Postgres of one's own in a folder of its own, durable as the product's (nothing is switched off), and migrated. */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const stateDir = makeStateDir(mkdtempSync(join(tmpdir(), "backstop-chaos-")));
  const unlock = await lockStateDir(stateDir);
  const guard = startGuard();
  const layout = layOut(stateDir, join(process.cwd(), "node_modules/.cache/backstop-bin"));
  const secrets = readSecrets(stateDir);
  const kept = await keepPostgres(layout, secrets, { fast: false }, guard);
  const { port } = kept.current();
  let { pid } = kept.current();
  const dataDir = join(layout.data, "postgres");
  const binaries = await postgresBinaries(layout.bin, layout.account);
  const setup: PostgresSetup = { layout, binaries, dataDir, password: secrets.postgres.postgres, fast: false };
  const url: OwnPostgres["url"] = (role, at = {}) =>
    `postgresql://${role}:${secrets.postgres[role]}@127.0.0.1:${at.port ?? port}/${at.database ?? DATABASE}`;
  const pools: pg.Pool[] = [];
  const migrateAll = async (database = DATABASE) => {
    await migrateRpc({ url: url("engine", { database }) });
    await migrateEngine(url("engine", { database }), false);
  };
  await migrateAll();

  const pidsOf = (where: string) =>
    withClient(url("postgres"), async (client) => {
      const { rows } = await client.query(
        `select pid from pg_stat_activity where pid <> pg_backend_pid() and ${where} order by random()`,
      );
      return rows.map((row) => Number(row.pid));
    });
  const kill = (victim: number, signal: NodeJS.Signals) => {
    try {
      process.kill(victim, signal);
    } catch {
      // It ended while we looked.
    }
  };
  const untilUp = async () => {
    for (let tries = 0; tries < 1_200; tries += 1) {
      const up = await withClient(url("postgres"), (client) => client.query("select 1")).then(
        () => true,
        () => false,
      );
      if (up) return;
      await sleep(25);
    }
    throw new Error("Postgres did not come back within 30 s");
  };

  return {
    port,
    rpcKeys: secrets.rpcKeys,
    backstopSecret: secrets.backstopSecret,
    url,
    pool(role, max = 4, database = DATABASE) {
      const pool = new pg.Pool({ connectionString: url(role, { database }), max, connectionTimeoutMillis: 5_000 });
      pool.on("error", () => {});
      pool.on("connect", (client) => client.on("error", () => {}));
      pools.push(pool);
      return pool;
    },
    async crash(how) {
      if (how === "backend") {
        const [victim] = await pidsOf("backend_type = 'client backend' and usename = 'engine'");
        if (victim !== undefined) kill(victim, "SIGKILL");
        await sleep(100);
        return untilUp();
      }
      const others = how === "all" ? await pidsOf("true") : [];
      kill(pid, how === "all" ? "SIGKILL" : "SIGQUIT");
      for (const other of others) kill(other, "SIGKILL");
      await waitGone(pid, 10_000);
      pid = (await openPostgres(setup, port)).pid;
      guard.watch(pid);
    },
    async newDatabase(name) {
      await withClient(url("postgres", { database: "postgres" }), async (client) => {
        await client.query(`create database ${name} owner engine`);
      });
      await withClient(url("postgres", { database: name }), (client) =>
        client.query("alter schema public owner to engine"),
      );
      await migrateAll(name);
    },
    async end() {
      // Neither server, nor guard, nor lock keeps a process alive: without this it may be over before all is removed.
      const alive = setInterval(() => {}, 1_000);
      await Promise.race([Promise.all(pools.map((pool) => pool.end())), sleep(3_000)]);
      await stopPostgres(dataDir, pid);
      await kept.stop();
      await guard.release();
      await unlock();
      // Also what lies elsewhere, where the servers' account could not enter this folder.
      await resetState(stateDir);
      rmSync(stateDir, { recursive: true, force: true });
      clearInterval(alive);
    },
  };
}

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { type Services, startServices } from "@/scripts/services";
import { startGuard } from "@/scripts/services/guard";
import { postgresBinaries } from "@/scripts/services/postgres-binaries";
import { openPostgres, stopPostgres } from "@/scripts/services/postgres-server";
import { withClient } from "@/scripts/services/prepare-database";
import { redisBinary } from "@/scripts/services/redis-binaries";
import { openRedis, redisConfigFile, stopRedis } from "@/scripts/services/redis-server";
import { readSecrets } from "@/scripts/services/secrets";
import { layOut } from "@/scripts/services/state-dir";
import type { EngineStores } from "./engine";
import { type Snapshot, snapshotDatabase } from "./store-snapshot";

/** The seed's two tables as somebody's game has them: its columns and nothing of ours. */
export const SEED_TABLES = readFileSync("lib/engine/migrations/game/0011_persistence_retry_jobs.sql", "utf8");

/** Roles of the game's Postgres: who owns the tables, who reads them for the desk, and the desk's own. */
type Role = "game_server" | "desk_read" | "desk_own" | "postgres";
const PASSWORD = "given-stores-only";

const GAME = `
  ${SEED_TABLES}
  grant select on persistence_retry_jobs, persistence_job_dead_letters to desk_read;
`;

type Stoppable = { stop(): Promise<void>; start(): Promise<void> };

export type GivenStores = {
  postgresUrl(role: Role, database?: string): string;
  /** As a user with every right: what is not written then was not held back by an ACL. */
  redisUrl: string;
  /** The same, as the game server is pointed at them. */
  engine: EngineStores;
  /** A pool on the game's database, as its owner, closed with the stores. */
  game: pg.Pool;
  snapshot(database?: string): Promise<Snapshot>;
  /** Each server can be stopped, as its people would, and started again on the same port. */
  postgres: Stoppable;
  redis: Stoppable;
  end(): Promise<void>;
};

/**
 * A Postgres and a Redis that play somebody's: a database `game` with the seed's two tables, the roles that its people
 * would make for a desk, and an empty Redis. Real servers, in a folder of their own, not prepared for us in any way.
 */
export async function startGivenStores(): Promise<GivenStores> {
  const stateDir = mkdtempSync(join(tmpdir(), "backstop-given-"));
  const binDir = join(process.cwd(), "node_modules/.cache/backstop-bin");
  const services = await startServices({ stateDir, binDir, fast: true, endWithStarter: true });
  const port = services.postgres.port;
  const postgresUrl = (role: Role, database = "game") =>
    role === "postgres"
      ? services.postgres.url("postgres", database)
      : `postgresql://${role}:${PASSWORD}@127.0.0.1:${port}/${database}`;

  await withClient(postgresUrl("postgres", "postgres"), async (client) => {
    for (const role of ["game_server", "desk_read", "desk_own"])
      await client.query(`create role ${role} login password '${PASSWORD}'`);
    await client.query("create database game owner game_server");
    // The desk's own role may do more here than it should: what it leaves alone, it leaves alone by itself.
    await client.query("grant all on database game to desk_own");
  });
  await withClient(postgresUrl("game_server"), (client) => client.query(GAME));
  await withClient(postgresUrl("postgres"), (client) =>
    client.query("grant all on schema public to desk_own; grant all on all tables in schema public to desk_own"),
  );
  const servers = await stoppable(services, stateDir, binDir);
  const game = new pg.Pool({ connectionString: postgresUrl("game_server"), max: 4 });
  game.on("error", () => {});
  return {
    postgresUrl,
    redisUrl: services.redis.url("admin"),
    engine: {
      postgresUrl: () => postgresUrl("game_server"),
      redisUrl: () => services.redis.url("admin"),
      ...services.secrets,
    },
    game,
    snapshot: (database = "game") => snapshotDatabase(postgresUrl("postgres", database)),
    postgres: servers.postgres,
    redis: servers.redis,
    async end() {
      await game.end();
      await Promise.all([servers.postgres.stop(), servers.redis.stop()]);
      await services.stop();
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}

async function stoppable(services: Services, stateDir: string, binDir: string) {
  const layout = layOut(stateDir, binDir);
  const secrets = readSecrets(stateDir);
  const guard = startGuard();
  const dataDir = join(layout.data, "postgres");
  const binaries = await postgresBinaries(layout.bin, layout.account);
  const setup = { layout, binaries, dataDir, password: secrets.postgres.postgres, fast: true };
  const binary = await redisBinary(layout.bin, layout.account, () => {});
  const config = redisConfigFile(layout);
  let [postgresPid, redisPid] = [services.postgres.pid(), services.redis.pid()];
  const postgres: Stoppable = {
    stop: () => stopPostgres(dataDir, postgresPid),
    async start() {
      postgresPid = (await openPostgres(setup, services.postgres.port)).pid;
      guard.watch(postgresPid);
    },
  };
  const redis: Stoppable = {
    stop: () => stopRedis(config, redisPid),
    async start() {
      redisPid = (await openRedis({ layout, binary, passwords: secrets.redis, fast: true }, services.redis.port)).pid;
      guard.watch(redisPid);
    },
  };
  return { postgres, redis };
}

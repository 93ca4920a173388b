import type { Guard } from "./guard";
import { postgresBinaries } from "./postgres-binaries";
import { initPostgres } from "./postgres-init";
import { openPostgres, type PostgresSetup, stopPostgres } from "./postgres-server";
import { prepareDatabase, prepareRoles, withClient } from "./prepare-database";
import { redisBinary } from "./redis-binaries";
import { openRedis, redisConfigFile, stopRedis } from "./redis-server";
import type { Secrets } from "./secrets";
import type { Layout } from "./state-dir";
import { keepServer } from "./supervise";

/** The game's database in the embedded default. */
export const DATABASE = "aether";

export type KeepOptions = {
  log?: (line: string) => void;
  supervise?: boolean;
  fast?: boolean;
  signal?: AbortSignal;
};

/** Opens Postgres, prepares roles and the default database, and keeps it running if asked to. */
export async function keepPostgres(layout: Layout, secrets: Secrets, options: KeepOptions, guard?: Guard) {
  const fast = options.fast ?? false;
  const binaries = await postgresBinaries(layout.bin, layout.account);
  const password = secrets.postgres.postgres;
  const dataDir = await initPostgres(layout, binaries, password, fast);
  const setup: PostgresSetup = { layout, binaries, dataDir, password, fast };
  const first = await openPostgres(setup);
  const kept = keepServer({
    name: "postgres",
    first,
    supervise: options.supervise ?? false,
    reopen: () => openPostgres(setup, first.port),
    end: (server) => stopPostgres(dataDir, server.pid),
    onStart: (server) => guard?.watch(server.pid),
    log: options.log,
  });
  try {
    const adminUrl = `postgresql://postgres:${password}@127.0.0.1:${first.port}/postgres`;
    await withClient(adminUrl, (client) => prepareRoles(client, secrets.postgres));
    await prepareDatabase(adminUrl, DATABASE);
  } catch (error) {
    await kept.stop();
    throw error;
  }
  return kept;
}

/** Opens Redis and keeps it running if asked to. */
export async function keepRedis(layout: Layout, secrets: Secrets, options: KeepOptions, guard?: Guard) {
  const binary = await redisBinary(layout.bin, layout.account, options.log ?? (() => {}), options.signal);
  const setup = { layout, binary, passwords: secrets.redis, fast: options.fast ?? false };
  const first = await openRedis(setup);
  return keepServer({
    name: "redis",
    first,
    supervise: options.supervise ?? false,
    reopen: () => openRedis(setup, first.port),
    end: (server) => stopRedis(redisConfigFile(layout), server.pid),
    onStart: (server) => guard?.watch(server.pid),
    log: options.log,
  });
}

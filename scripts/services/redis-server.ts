import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { runAs } from "./account";
import { writeWhole } from "./files";
import { pickPort } from "./ports";
import { processesWith } from "./processes";
import type { RedisBinary } from "./redis-binaries";
import { redisConfig } from "./redis-config";
import type { Secrets } from "./secrets";
import { adoptServer, endServer, type ServerProcess, spawnServer } from "./server-process";
import type { Layout } from "./state-dir";

export type RedisServer = ServerProcess & { port: number };
export type RedisSetup = { layout: Layout; binary: RedisBinary; passwords: Secrets["redis"]; fast: boolean };

/** Uses the server that already runs on this data folder, or starts one; answers when it takes commands. */
export async function openRedis(setup: RedisSetup, port?: number): Promise<RedisServer> {
  const dir = join(setup.layout.data, "redis");
  if (!existsSync(dir)) runAs(setup.layout.account, "mkdir", ["-m", "700", dir]);
  const config = redisConfigFile(setup.layout);
  const running = await adoptRedis(setup, config, dir);
  if (running && (port === undefined || running.port === port)) return running;
  if (running) await stopRedis(config, running.pid);
  for (let tries = 0; tries < 5; tries++) {
    const server = await startRedis(setup, config, dir, port ?? (await pickPort()));
    if (server) return server;
    await sleep(500 * tries);
  }
  const said = readFileSync(logFile(setup.layout), "utf8").trim().split("\n").at(-1);
  throw new Error(`Redis does not start: ${said}. See ${logFile(setup.layout)}`);
}

/** Its configuration file, which is also the argument that the process is recognised by. */
export function redisConfigFile(layout: Pick<Layout, "conf">): string {
  return join(layout.conf, "redis.conf");
}

/** Stops the server of this configuration file: SIGTERM writes the log to disk and ends it. */
export function stopRedis(config: string, pid: number): Promise<void> {
  return endServer(pid, config, [["SIGTERM", 10_000]]);
}

/**
 * The server on this data folder, if there is one and it is proved ours: the process has our configuration file as its
 * argument and our account, its port takes our password and says the same folder and process.
 */
async function adoptRedis(setup: RedisSetup, config: string, dir: string): Promise<RedisServer | undefined> {
  const [pid] = processesWith(config, setup.layout.account.uid);
  if (pid === undefined) return undefined;
  const port = existsSync(config) ? Number(/^port (\d+)$/m.exec(readFileSync(config, "utf8"))?.[1]) : 0;
  if (port > 0 && (await isReady(setup, port, dir, pid, 10_000))) return { ...adoptServer(pid, config), port };
  await stopRedis(config, pid);
  return undefined;
}

async function startRedis(
  setup: RedisSetup,
  config: string,
  dir: string,
  port: number,
): Promise<RedisServer | undefined> {
  const { layout, binary, passwords, fast } = setup;
  writeWhole(config, redisConfig({ dir, port, passwords, fast }), 0o600, layout.account);
  const server = await spawnServer(binary.command, [config], {
    account: layout.account,
    env: binary.env,
    logFile: logFile(layout),
  });
  if (await isReady(setup, port, dir, server.pid, 30_000, server.hasEnded)) return { ...server, port };
  await stopRedis(config, server.pid);
  return undefined;
}

/** Asks until the server has loaded its data, with the password, and compares who answers with who should. */
async function isReady(
  setup: RedisSetup,
  port: number,
  dir: string,
  pid: number,
  timeoutMs: number,
  hasEnded: () => boolean = () => false,
): Promise<boolean> {
  for (const until = Date.now() + timeoutMs; Date.now() < until && !hasEnded(); await sleep(25)) {
    const client = new Redis({
      host: "127.0.0.1",
      port,
      username: "admin",
      password: setup.passwords.admin,
      lazyConnect: true,
      retryStrategy: () => null,
      enableReadyCheck: false,
      connectTimeout: 2_000,
      commandTimeout: 2_000,
    });
    client.on("error", () => {});
    try {
      await client.connect();
      const [, folder] = (await client.config("GET", "dir")) as [string, string];
      const info = await client.info("server");
      if (folder !== dir || Number(/process_id:(\d+)/.exec(info)?.[1]) !== pid) return false;
      await client.ping();
      // A demo that was killed while its Redis refused writes has left a limit behind.
      await client.config("SET", "maxmemory", "0");
      return true;
    } catch (error) {
      if (/WRONGPASS|NOAUTH|NOPERM/.test(String(error))) return false;
    } finally {
      client.disconnect();
    }
  }
  return false;
}

function logFile(layout: Layout): string {
  return join(layout.logs, "redis.log");
}

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { startServices } from "./index";
import { scratchState, serversIn } from "./scratch";

const scratch = scratchState();
afterAll(scratch.remove);

const start = () => startServices({ ...scratch, endWithStarter: true });
const mode = (name: string) => (statSync(join(scratch.stateDir, name)).mode & 0o777).toString(8);

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function withRedis<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url, { retryStrategy: () => null });
  redis.on("error", () => {});
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

test("an empty folder becomes two real servers that keep what they were given, and nothing is left running", async () => {
  const first = await start();
  try {
    const [row] = await ask(
      first.postgres.url("postgres"),
      "select current_database() as db, current_setting('fsync') as fsync, current_setting('server_encoding') as enc",
    );
    expect(row).toEqual({ db: "aether", fsync: "on", enc: "UTF8" });
    await ask(first.postgres.url("engine"), "create table kept as select 7 as n");
    const config = await withRedis(first.redis.url("admin"), async (redis) => {
      await redis.set("backstop:kept", "7");
      return redis.config("GET", "append*", "maxmemory-policy", "enable-*-command", "bind");
    });
    expect(config).toEqual(expect.arrayContaining(["yes", "everysec", "noeviction", "no", "127.0.0.1"]));
  } finally {
    await first.stop();
  }
  expect(serversIn(scratch.stateDir)).toEqual([]);

  const second = await start();
  try {
    expect(await ask(second.postgres.url("backstop_read"), "select n from kept")).toEqual([{ n: 7 }]);
    expect(await withRedis(second.redis.url("admin"), (redis) => redis.get("backstop:kept"))).toBe("7");
    expect(second.secrets).toEqual(first.secrets);
  } finally {
    await second.stop();
  }
  expect(serversIn(scratch.stateDir)).toEqual([]);
});

test("secrets are readable by the starter alone, and stand on no command line and in no server file", async () => {
  const services = await start();
  try {
    expect([
      mode("secrets"),
      mode("secrets/secrets.json"),
      mode("logs"),
      mode("data"),
      mode("conf/redis.conf"),
    ]).toEqual(["700", "600", "700", "700", "600"]);
    const passwords = [
      ...(["backstop_migrate", "backstop_own", "backstop_read", "engine", "postgres"] as const).map(
        (role) => new URL(services.postgres.url(role)).password,
      ),
      ...(["console", "engine", "admin"] as const).map((user) => new URL(services.redis.url(user)).password),
    ];
    expect(new Set(passwords).size).toBe(8);
    const config = readFileSync(join(scratch.stateDir, "conf/redis.conf"), "utf8");
    for (const password of passwords) expect(config).not.toContain(password);
    if (process.platform !== "linux") return;
    for (const pid of [services.postgres.pid(), services.redis.pid()]) {
      const shown = readFileSync(`/proc/${pid}/cmdline`, "utf8") + readFileSync(`/proc/${pid}/environ`, "utf8");
      for (const password of passwords) expect(shown).not.toContain(password);
      if (process.getuid?.() === 0) expect(statSync(`/proc/${pid}`).uid).not.toBe(0);
    }
  } finally {
    await services.stop();
  }
});

import { chmodSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { existingData } from "@/scripts/services/state-dir";
import { startEngine } from "@/scripts/testing/engine";
import { type FindingDesk, openFindingDesk } from "@/scripts/testing/finding-desk";
import { makeLetter } from "@/scripts/testing/game";
import { openStores } from "@/scripts/testing/stores";
import { until } from "@/scripts/testing/until";
import { preflight } from "./preflight";

// Whether the stores take what is written, and keep it: each danger set for real.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let desk: FindingDesk;
let letterId: string;
beforeAll(async () => {
  desk = await openFindingDesk();
  ({ letterId } = await makeLetter(desk.game));
});
afterAll(() => desk?.end());

/** From another database: one that was set read-only would not let its own setting be taken back. */
async function database(setting: string): Promise<void> {
  const admin = new pg.Client({ connectionString: desk.services.postgres.url("postgres", "postgres") });
  await admin.connect();
  await admin.query(`alter database aether ${setting}`);
  await admin.end();
}

test("synchronous_commit off: warned that the last commits may be lost, as the engine sees it", async () => {
  await database("set synchronous_commit = off");
  const engine = await desk.engineWith({});
  const { store_fit } = await desk.find(letterId, { rpc: engine.client() });
  await database("reset synchronous_commit");
  expect(store_fit).toMatchObject({
    severity: "warn",
    title: "A crash may lose what is written: synchronous_commit is off",
    runbook: "store_fit",
  });
  expect(store_fit?.reason).toContain("A commit is answered before it is on the disk.");
});

test("a store that keeps nothing: fsync and full_page_writes are named", async () => {
  const stores = await openStores();
  const engine = await startEngine(stores, { PERSISTENCE_RETRY_POLL_MILLIS: "600000" });
  const letter = await makeLetter(stores.pool("engine"));
  const sources = { pool: stores.pool("backstop_read"), rpc: engine.client(), redis: null, sessionActiveKey: null };
  const [found] = await preflight(sources, [letter.letterId], "user-1");
  await engine.end();
  await stores.close();
  const fit = found?.findings.find(({ code }) => code === "store_fit");
  expect(fit?.title).toBe("A crash may lose what is written: fsync, full_page_writes and synchronous_commit are off");
  expect(fit?.reason).toBe("After a crash the data may be damaged, not only late.");
});

test("a database that was set read-only: nothing can be written, with facts and without", async () => {
  await database("set default_transaction_read_only = on");
  const [told, alone] = [await desk.find(letterId), await desk.find(letterId, { rpc: null })];
  await database("reset default_transaction_read_only");
  for (const { store_fit } of [told, alone]) {
    expect(store_fit).toMatchObject({ severity: "warn", title: "Nothing can be written: Postgres is read-only" });
    expect(store_fit?.evidence).toContainEqual({ label: "seen on", value: "the desk's own connection" });
  }
});

test("without facts the desk looks at its own connection and says so; that its own role is read-only says nothing", async () => {
  const { rows } = await desk.reader.query("select current_setting('transaction_read_only') as is");
  expect(rows[0].is).toBe("on");
  expect((await desk.find(letterId, { rpc: null })).store_fit).toMatchObject({
    severity: "ok",
    title: "Postgres takes writes",
    reason: expect.stringContaining("Seen on the desk's own connection"),
  });
});

afterEach(async () => {
  await desk.redis.config("SET", "appendonly", "yes");
  await desk.redis.config("SET", "maxmemory-policy", "noeviction");
  await desk.redis.replicaof("NO", "ONE");
});
const redisFit = async () => (await desk.find(letterId)).store_fit_redis;

test("Redis with the append-only file off and no snapshot: it keeps nothing", async () => {
  await desk.redis.config("SET", "appendonly", "no");
  expect(await redisFit()).toMatchObject({ severity: "warn", title: "Redis keeps nothing on disk" });
  await desk.redis.config("SET", "maxmemory-policy", "allkeys-lru");
  expect((await redisFit())?.title).toBe("Redis keeps nothing on disk, and 1 more");
});

test("Redis that may evict keys: the policy is named", async () => {
  await desk.redis.config("SET", "maxmemory-policy", "allkeys-lru");
  const found = await redisFit();
  expect(found).toMatchObject({ severity: "warn", title: "Redis may evict keys (allkeys-lru)" });
  expect(found?.evidence).toContainEqual({ label: "maxmemory_policy", value: "allkeys-lru" });
});

test("Redis that is a replica: it may lag", async () => {
  await desk.redis.replicaof("127.0.0.1", 9);
  expect(await redisFit()).toMatchObject({ severity: "warn", title: "Redis is a replica" });
});

test("a snapshot that failed: Redis may lose what it holds", async () => {
  // A Redis that was a replica a moment ago still rewrites its append-only file, and takes no snapshot beside that.
  await until(async () =>
    /aof_rewrite_in_progress:0\r\naof_rewrite_scheduled:0/.test(await desk.redis.info("persistence")),
  );
  const folder = join(existingData(desk.stateDir), "redis");
  chmodSync(folder, 0o500);
  await desk.redis.bgsave();
  await until(async () => /rdb_bgsave_in_progress:0/.test(await desk.redis.info("persistence")));
  const found = await redisFit();
  chmodSync(folder, 0o700);
  expect(found).toMatchObject({ severity: "warn", title: "The last snapshot failed" });
  expect(found?.evidence).toContainEqual({ label: "rdb_last_bgsave_status", value: "err" });
  await desk.redis.bgsave();
  await until(async () => /rdb_last_bgsave_status:ok/.test(await desk.redis.info("persistence")));
  expect((await redisFit())?.severity).toBe("ok");
});

test("a Redis user that may not run INFO: a grey line, nothing to acknowledge", async () => {
  await desk.redis.call("ACL", "SETUSER", "console", "-info");
  const found = await redisFit();
  await desk.redis.call("ACL", "SETUSER", "console", "+info");
  expect(found).toMatchObject({ severity: "not_configured", title: "Whether Redis is in order cannot be told" });
});

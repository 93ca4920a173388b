import type { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createReadRedis } from "@/lib/db/redis";
import { findQueue } from "@/lib/queues";
import { failedReading } from "@/lib/queues/failed-reading";
import { dieInJournal } from "@/scripts/testing/journal";
import { type OwnRedis, openOwnRedis } from "@/scripts/testing/own-redis";
import { startProxy } from "@/scripts/testing/proxy";
import { until } from "@/scripts/testing/until";
import { JOURNAL_KEYS } from "./keys";

// A Redis of this file's own, in each trouble that the desk has a sentence for; made for real.

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let server: OwnRedis;
let letterId: string;
const opened: Redis[] = [];
beforeAll(async () => {
  // The desk has an error to log for each time that a server goes away.
  vi.spyOn(console, "error").mockImplementation(() => {});
  server = await openOwnRedis(["enable-debug-command yes"]);
  [letterId = ""] = await dieInJournal(server.admin, [{}]);
});
afterAll(async () => {
  for (const redis of opened) redis.disconnect();
  await server?.end();
});

function deskOn(url: string) {
  const redis = createReadRedis(url, "test-failures");
  opened.push(redis);
  const queue = findQueue("session-lifecycle", { game: null, redis, rpc: null, sessionActiveKey: null });
  if (!queue?.letters || !queue.list || !queue.archive || !queue.door) throw new Error("there is no such queue");
  return { ...queue, letters: queue.letters, list: queue.list, archive: queue.archive, door: queue.door };
}
type Desk = ReturnType<typeof deskOn>;

/** What each part that pages read says; all must be the same sentence. */
async function said(desk: Desk): Promise<string[]> {
  const thrown = (read: Promise<unknown>) =>
    read.then(
      () => "nothing is wrong",
      (error) => failedReading(error, "Redis").sentence,
    );
  const [depths, state] = [await desk.readDepths(), await desk.list.readState()];
  const sentences = [
    depths.kind === "failed" ? depths.sentence : depths.kind,
    state.kind === "failed" ? state.sentence : state.kind,
    await thrown(desk.list.readWindow({ list: "pending", runtime: null, at: 0, limit: 10 })),
    await thrown(desk.letters.findLetter(letterId)),
    await thrown(desk.archive.listAfter(null, { months: 13, limit: 10 })),
    await thrown(desk.door.preflight([letterId], "somebody")),
  ];
  return [...new Set(sentences)];
}

const withUser = (change: (url: URL) => void) => {
  const url = new URL(server.url("console"));
  change(url);
  return url.href;
};

test("in order, every part can be read", async () => {
  expect(await said(deskOn(server.url("console")))).toEqual(["read", "nothing is wrong"]);
});

test("no connection is taken, none is answered, no user was given, the user may not: each in its own words", async () => {
  expect(await said(deskOn("redis://127.0.0.1:1/0"))).toEqual(["Redis takes no connection."]);

  expect(
    await said(
      deskOn(
        withUser((url) => {
          url.username = "";
          url.password = "";
        }),
      ),
    ),
  ).toEqual(["The server wants a user and a password."]);

  await server.admin.acl("SETUSER", "blind", "on", ">blind-password", "+@all", "~elsewhere:*");
  const blind = withUser((url) => {
    url.username = "blind";
    url.password = "blind-password";
  });
  expect(await said(deskOn(blind))).toEqual(["The reading user may not read this."]);
});

test("a server that takes everything and says nothing: told within 2 s each, and gone on with once it speaks", async () => {
  const proxy = await startProxy({ port: Number(new URL(server.url("console")).port) });
  const desk = deskOn(
    withUser((url) => {
      url.port = String(proxy.port);
    }),
  );
  expect((await desk.readDepths()).kind).toBe("read");
  proxy.set({ kind: "black_hole" });
  const depths = await desk.readDepths();
  expect(depths).toMatchObject({ kind: "failed", sentence: "Redis does not answer." });
  proxy.set({ kind: "pass" });
  proxy.cutAll();
  await until(async () => (await desk.readDepths()).kind === "read");
  await proxy.close();
});

test("a server that loads its data says so, and is read again once it has", async () => {
  const desk = deskOn(server.url("console"));
  expect((await desk.readDepths()).kind).toBe("read");
  await server.admin.eval("for i = 1, 300 do redis.call('set', 'filler:' .. i, string.rep('x', 1100)) end", 0);
  await server.admin.config("SET", "loading-process-events-interval-bytes", "1024").catch(() => {});
  await server.admin.config("SET", "key-load-delay", "10000");
  const reload = server.admin.duplicate();
  const reloaded = reload.call("DEBUG", "RELOAD");
  await until(async () => (await server.admin.info("persistence")).includes("\r\nloading:1\r\n"));
  expect(await desk.readDepths()).toMatchObject({ kind: "failed", sentence: "Redis is loading its data." });
  await server.admin.config("SET", "key-load-delay", "0");
  await reloaded;
  reload.disconnect();
  await until(async () => (await desk.readDepths()).kind === "read");
});

test("a key of another type fails what reads that list, and no other list", async () => {
  const desk = deskOn(server.url("console"));
  await server.admin.rename(JOURNAL_KEYS.deadLetter, "aside");
  await server.admin.set(JOURNAL_KEYS.deadLetter, "no list");
  const ask = { runtime: null, at: 0, limit: 10 };
  expect(await desk.list.readWindow({ list: "pending", ...ask })).toMatchObject({ length: 0 });
  const wrong = await desk.list
    .readWindow({ list: "dead_letter", ...ask })
    .catch((error) => failedReading(error, "Redis"));
  expect(wrong).toEqual({
    kind: "failed",
    code: "WRONGTYPE",
    sentence: "A key of the queue in Redis is of another type.",
  });
  expect(await desk.readDepths()).toMatchObject({ kind: "read", value: { due: 0, dead: null } });
  const state = await desk.list.readState();
  const dangers = state.kind === "read" && state.value.store.kind === "read" ? state.value.store.value.dangers : [];
  expect(dangers.map(({ title }) => title)).toContain("The key of the dead letters is of another type");
  await server.admin.rename("aside", JOURNAL_KEYS.deadLetter);
});

const dangersOf = async (desk: Desk) => {
  const [preflight] = await desk.door.preflight([letterId], "somebody");
  const fit = preflight?.findings.find(({ code }) => code === "store_fit_redis");
  const state = await desk.list.readState();
  const store = state.kind === "read" && state.value.store.kind === "read" ? state.value.store.value : null;
  return { fit, titles: store?.dangers.map(({ title }) => title), store };
};

test("what would lose or refuse a requeue is told before it, and beside the lists: an end of a key, no memory, a replica", async () => {
  const desk = deskOn(server.url("console"));
  expect((await dangersOf(desk)).fit).toMatchObject({ severity: "ok" });

  await server.admin.pexpire(JOURNAL_KEYS.deadLetter, 600_000);
  expect(await dangersOf(desk)).toMatchObject({
    fit: { severity: "warn", title: "The key of the dead letters expires" },
    titles: ["The key of the dead letters expires"],
  });
  await server.admin.persist(JOURNAL_KEYS.deadLetter);

  await server.admin.config("SET", "maxmemory", "1000");
  expect(await dangersOf(desk)).toMatchObject({ fit: { severity: "warn", title: "Redis has no memory left" } });
  await expect(server.admin.lpush(JOURNAL_KEYS.pending, "x")).rejects.toThrow(/^OOM/);
  await server.admin.config("SET", "maxmemory", "0");

  await server.admin.config("SET", "maxmemory-policy", "allkeys-lru");
  expect((await dangersOf(desk)).titles).toEqual(["Redis may evict keys (allkeys-lru)"]);
  await server.admin.config("SET", "maxmemory-policy", "noeviction");

  await server.admin.replicaof("127.0.0.1", 1);
  const replica = await dangersOf(desk);
  expect(replica.fit).toMatchObject({ severity: "warn", title: "Redis is a replica" });
  await expect(server.admin.lpush(JOURNAL_KEYS.pending, "x")).rejects.toThrow(/^READONLY/);
  await server.admin.replicaof("NO", "ONE");
  expect((await dangersOf(desk)).fit).toMatchObject({ severity: "ok" });
});

test("an append-only file whose end is gone: the letter that was lost with it is told as gone with nothing that says why, and the next ones are listed", async () => {
  const desk = deskOn(server.url("console"));
  const [kept = "", lost = ""] = await dieInJournal(server.admin, [{}, {}]);
  const known = await desk.archive.listAfter(null, { months: 13, limit: 10 });
  expect(known.keys.map((key) => key.letterId)).toEqual([letterId, kept, lost]);
  await server.crash(100);
  await until(async () => (await desk.readDepths()).kind === "read");
  expect(await desk.archive.readStates([letterId, kept, lost].map((id) => ({ letterId: id, jobId: null })))).toEqual(
    new Map<string, unknown>([
      [letterId, { kind: "dead" }],
      [kept, { kind: "dead" }],
      [lost, { kind: "gone", outcome: null }],
    ]),
  );
  const [next] = await dieInJournal(server.admin, [{ diedAt: new Date(Date.now() + 1_000).toISOString() }]);
  const later = await desk.archive.listAfter(known.settled, { months: 13, limit: 10 });
  expect(later.keys.map((key) => key.letterId)).toContain(next);
});

test("an append-only file that cannot be written: told before a requeue, and beside the lists; then in order again", async () => {
  const full = await openOwnRedis([], true);
  const [id = ""] = await dieInJournal(full.admin, [{}]);
  const desk = deskOn(full.url("console"));
  const fill = async () => {
    for (let times = 0; times < 100; times += 1) await full.admin.set("filler", "x".repeat(10_000));
  };
  await expect(fill()).rejects.toThrow(/^MISCONF Errors writing to the AOF file/);
  await expect(full.admin.lpush(JOURNAL_KEYS.pending, "x")).rejects.toThrow(/^MISCONF/);
  const title = "The last write of the append-only file failed";
  const [preflight] = await desk.door.preflight([id], "somebody");
  expect(preflight?.findings.find(({ code }) => code === "store_fit_redis")).toMatchObject({ severity: "warn", title });
  expect((await dangersOf(desk)).titles).toContain(title);
  // What there is can be read all the same.
  expect(await said(desk)).toEqual(["read", "nothing is wrong"]);
  await full.admin.bgrewriteaof();
  await until(async () => (await full.admin.info("persistence")).includes("\r\naof_last_write_status:ok\r\n"));
  expect((await dangersOf(desk)).titles).toEqual([]);
  await full.end();
});

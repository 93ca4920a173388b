import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { runAction } from "@/lib/auth/run-action";
import { runRoute } from "@/lib/auth/run-route";
import { findReader, forgetSeen, forgetSeenOf, SEEN_MS } from "@/lib/auth/seen-sessions";
import { endSession, findSession, startSession } from "@/lib/auth/session";
import { newToken } from "@/lib/auth/token";
import { insertUser } from "@/lib/auth/users";
import { startProxy, type TestProxy } from "@/scripts/testing/proxy";
import { openStores, type TestStores } from "@/scripts/testing/stores";

// The console's own database goes away: behind a proxy that takes no more connections and cuts those that stand.

let stores: TestStores;
let proxy: TestProxy;
let direct: pg.Pool;
let own: pg.Pool;
let userId: string;
let token: string;
beforeAll(async () => {
  stores = await openStores();
  direct = stores.pool("backstop_own");
});
afterAll(() => stores.close());
beforeEach(async () => {
  const url = new URL(stores.postgresUrl("backstop_own"));
  proxy = await startProxy({ port: Number(url.port), host: url.hostname });
  url.hostname = "127.0.0.1";
  url.port = String(proxy.port);
  own = new pg.Pool({ connectionString: url.href, max: 2, connectionTimeoutMillis: 1_000 });
  own.on("error", () => {});
  await direct.query("delete from backstop.users");
  userId = await insertUser(direct, { username: "maya", displayName: "Maya", role: "operator", passwordHash: "-" });
  token = await startSession(direct, userId);
});
afterEach(async () => {
  await own.end();
  await proxy.close();
});

const USE = { use: false, readOnly: false };
const START = 1_000_000;
const read = (afterMs: number, text = token, options = USE) => findReader(own, text, options, START + afterMs);
async function away(): Promise<void> {
  proxy.set({ kind: "cut_before_request" });
  proxy.cutAll();
}

test("who was seen reads on for 60 s without the database, as who they were, and not a moment longer", async () => {
  const who = await read(0);
  await away();
  expect(await read(5_000)).toEqual(who);
  expect(await read(SEEN_MS - 1)).toEqual(who);
  // A reading from memory is no confirmation: it prolongs nothing.
  await expect(read(SEEN_MS)).rejects.toThrow();
  expect((await read(1_000, token, { use: false, readOnly: true }))?.role).toBe("viewer");
});

test("who was not seen before does not read, and a made-up token never does", async () => {
  const other = await startSession(direct, userId);
  await read(0);
  await away();
  for (const text of [other, newToken(), "x"]) {
    const found = await read(1_000, text).catch(() => null);
    expect(found).toBeNull();
  }
});

test("what the database says counts as soon as it answers: a role, a disabled user, an ended session", async () => {
  await read(0);
  await away();
  await direct.query("update backstop.users set role = 'viewer'");
  expect((await read(1_000))?.role).toBe("operator");
  proxy.set({ kind: "pass" });
  expect((await read(2_000))?.role).toBe("viewer");
  await endSession(direct, token);
  expect(await read(3_000)).toBeNull();
  await away();
  await expect(read(4_000)).rejects.toThrow();
});

test("nobody whose sessions an admin has ended here reads on", async () => {
  await read(0);
  forgetSeenOf(userId);
  await away();
  await expect(read(1_000)).rejects.toThrow();
});

test("a session that was ended here reads no more, even when the database is gone by then", async () => {
  await read(0);
  forgetSeen(token);
  await away();
  await expect(read(1_000)).rejects.toThrow();
});

test("reads go on while actions and every POST are refused, and nothing is done by them", async () => {
  await read(0);
  await away();
  const base = { requestId: "test", origin: "accepted" as const, address: "127.0.0.1", log: () => {} };
  let done = 0;
  const body = async () => {
    done += 1;
    return "read";
  };
  const get = await runRoute(
    { ...base, who: () => read(1_000) },
    { role: "viewer", request: new Request("http://desk/api/overview"), scope: "read" },
    body,
  );
  expect([get.status, await get.json(), done]).toEqual([200, "read", 1]);
  const strict = { ...base, who: () => findSession(own, token, USE) };
  const post = await runRoute(
    strict,
    { role: "operator", request: new Request("http://desk/api/x", { method: "POST" }), scope: null },
    body,
  );
  expect(post.status).toBe(500);
  const acted = await runAction(
    { ...strict, audit: async () => {} },
    { name: "requeue", role: "operator", input: z.undefined(), body },
    undefined,
  );
  expect([acted.kind, done]).toEqual(["failed", 1]);
});

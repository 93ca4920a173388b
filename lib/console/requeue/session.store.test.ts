import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import type { Pool } from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createReadRedis } from "@/lib/db/redis";
import { type Operator, openDesk, type TestDesk } from "@/scripts/testing/desk";
import { startEngine, type TestEngine } from "@/scripts/testing/engine";
import { makeLetter, whereabouts } from "@/scripts/testing/game";
import { openStores, type TestStores } from "@/scripts/testing/stores";

// A player who comes and goes between the plan and the click.

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const SESSION_KEY = "session:active:<token>";

let stores: TestStores;
let engine: TestEngine;
let desk: TestDesk;
let game: Pool;
let maya: Operator;
let admin: Redis;
let reading: Redis;
beforeAll(async () => {
  stores = await openStores();
  game = stores.pool("engine");
  engine = await startEngine(stores, {
    PERSISTENCE_RETRY_POLL_MILLIS: "600000",
    BACKSTOP_KEY_SESSION_ACTIVE: SESSION_KEY,
  });
  admin = new Redis(stores.redisUrl("admin"));
  reading = createReadRedis(stores.redisUrl("console"), "test-desk");
  desk = openDesk(stores, engine, engine.url, { redis: reading, sessionActiveKey: SESSION_KEY });
  maya = await desk.operator("Maya");
});
afterAll(async () => {
  admin?.disconnect();
  reading?.disconnect();
  await engine?.end();
  await stores?.close();
});

async function letterWithSession() {
  const token = `tok-${randomUUID()}`;
  const key = SESSION_KEY.replace("<token>", token);
  return {
    ...(await makeLetter(game, { sessionToken: token })),
    token,
    logIn: () => admin.hset(key, { character: "Brannoch", since: String(Math.floor(Date.now() / 1_000)) }),
    logOut: () => admin.del(key),
  };
}

test("a session that becomes active between plan and click: nothing is sent, and the new plan warns", async () => {
  const letter = await letterWithSession();
  const { operationId } = await desk.plan(letter.letterId, maya);
  await letter.logIn();
  const ended = await desk.press(operationId, maya);
  expect(ended).toMatchObject({ kind: "changed", worse: ["session_active"] });
  expect(await whereabouts(game, letter)).toMatchObject({ live: 0, dead: 1 });
});

test("a session that ends between plan and click: skipped, in words that name it", async () => {
  const letter = await letterWithSession();
  await letter.logIn();
  const { operationId } = await desk.plan(letter.letterId, maya);
  await letter.logOut();
  expect(await desk.press(operationId, maya)).toMatchObject({
    kind: "sent",
    view: {
      answer: "changed",
      outcome: "skipped",
      sentence: "Skipped: the session became inactive since the plan. Nothing was requeued.",
    },
  });
  expect(await whereabouts(game, letter)).toMatchObject({ live: 0, dead: 1 });
});

test("a session that stays as it was planned: requeued, and its token is nowhere in what the console keeps", async () => {
  const letter = await letterWithSession();
  await letter.logIn();
  const { operationId } = await desk.plan(letter.letterId, maya);
  expect(await desk.press(operationId, maya)).toMatchObject({ kind: "sent", view: { answer: "requeued" } });
  const tables = await desk.own.query("select tablename from pg_tables where schemaname = 'backstop'");
  for (const { tablename } of tables.rows) {
    const { rows } = await stores
      .pool("postgres")
      .query(`select t::text as row from backstop.${tablename} t where position($1 in t::text) > 0`, [letter.token]);
    expect(rows, tablename).toEqual([]);
  }
  expect(engine.output()).not.toContain(letter.token);
});

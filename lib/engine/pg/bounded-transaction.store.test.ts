import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { boundedTransaction, TooLate } from "./bounded-transaction";

let stores: TestStores;
let pool: pg.Pool;
beforeAll(async () => {
  stores = await openStores();
  pool = stores.pool("engine", 1);
});
afterAll(() => stores.close());

const BOUNDS = `select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement,
  current_setting('idle_in_transaction_session_timeout') as pause, current_setting('transaction_timeout') as whole`;
const bounds = async (db: pg.Pool | pg.PoolClient) => (await db.query(BOUNDS)).rows[0];

test("from its first statement on the server itself bounds it; the connection's own bounds are back afterwards", async () => {
  const before = await bounds(pool);
  expect(await boundedTransaction(pool, { timeoutMs: 1_000 }, bounds)).toEqual({
    lock: "500ms",
    statement: "750ms",
    pause: "750ms",
    whole: "1s",
  });
  expect(await bounds(pool)).toEqual(before);
  await expect(
    boundedTransaction(pool, { timeoutMs: 1_000 }, () => Promise.reject(new Error("undone"))),
  ).rejects.toThrow("undone");
  expect(await bounds(pool)).toEqual(before);
});

test("a statement, a pause, and many short statements: none goes on past its bound", async () => {
  const within = (body: (client: pg.PoolClient) => Promise<unknown>) =>
    boundedTransaction(pool, { timeoutMs: 400 }, body);
  await expect(within((client) => client.query("select pg_sleep(5)"))).rejects.toThrow("statement timeout");
  await expect(within(() => new Promise((resolve) => setTimeout(resolve, 1_000)))).rejects.toThrow(
    "idle-in-transaction timeout",
  );
  const short = async (client: pg.PoolClient) => {
    for (let times = 0; times < 50; times += 1) await client.query("select pg_sleep(0.05)");
  };
  await expect(within(short)).rejects.toThrow("transaction timeout");
});

test("past its latest beginning nothing is done, and the store's time is told", async () => {
  let begun = false;
  const late = boundedTransaction(pool, { timeoutMs: 1_000, startByMs: 1_000 }, async () => {
    begun = true;
  });
  await expect(late).rejects.toThrow(TooLate);
  await expect(late).rejects.toMatchObject({ serverTime: expect.stringMatching(/^20\d\d-.*Z$/) });
  expect(begun).toBe(false);
});

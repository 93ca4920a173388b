import { readFileSync } from "node:fs";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { untilBlocked } from "@/scripts/testing/forced-race";
import { openStores, type TestStores } from "@/scripts/testing/stores";

const queries = [...readFileSync("docs/runbook.md", "utf8").matchAll(/```sql\n([\s\S]*?)```/g)].map(
  ([, sql]) => sql ?? "",
);

let stores: TestStores;
let game: pg.Pool;
let reader: pg.Pool;
beforeAll(async () => {
  stores = await openStores();
  game = await stores.warmPool("engine", 3);
  reader = stores.pool("backstop_read");
});
afterAll(() => stores.close());

test("each query of the runbook runs as the desk's reading role", async () => {
  expect(queries.length).toBeGreaterThan(2);
  for (const sql of queries) await reader.query(sql);
});

test("'who holds it' names the session that holds the row, also to the desk's reading role", async () => {
  const [holder, waiter] = [await game.connect(), await game.connect()];
  const take = "select 1 from zone_catalog for update";
  await game.query("insert into zone_catalog (zone_id, realm_id, name) values ('a-zone', 'a-realm', 'A zone')");
  try {
    await holder.query("begin");
    await holder.query(take);
    const { rows } = await holder.query("select pg_backend_pid() as pid");
    const waiting = waiter.query(take);
    await untilBlocked(game, 1);
    const asked = await reader.query(queries.find((sql) => sql.includes("pg_blocking_pids")) ?? "");
    expect(asked.rows.map(({ pid, usename }) => ({ pid, usename }))).toEqual([{ pid: rows[0].pid, usename: "engine" }]);
    await holder.query("rollback");
    await waiting;
  } finally {
    holder.release(true);
    waiter.release(true);
  }
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { openStores, type TestStores } from "./stores";

let stores: TestStores;
beforeAll(async () => {
  stores = await openStores();
});
afterAll(() => stores.close());

test("the desk's reading role reads the game's tables and can write none of them", async () => {
  const reader = stores.pool("backstop_read");
  expect((await reader.query("select count(*)::int as n from persistence_retry_jobs")).rows).toEqual([{ n: 0 }]);
  const write = reader.query("delete from persistence_job_dead_letters");
  await expect(write).rejects.toThrow(/read-only transaction|permission denied/);
  const evenSo = reader.query("set transaction read write; delete from persistence_job_dead_letters");
  await expect(evenSo).rejects.toThrow("permission denied");
});

test("the engine's role owns the game's tables and sees nothing of the console's", async () => {
  const engine = stores.pool("engine");
  await engine.query("select 1 from persistence_applied_keys");
  await expect(engine.query("select 1 from backstop.audit")).rejects.toThrow("permission denied");
});

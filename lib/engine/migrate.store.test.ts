import { afterAll, beforeAll, expect, test } from "vitest";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { migrateEngine } from "./migrate";

let stores: TestStores;
beforeAll(async () => {
  stores = await openStores("bare");
});
afterAll(() => stores.close());

test("a role that may use the schema, but make no tables in it, is told so in one line, without a stack", async () => {
  await stores.pool("postgres").query("grant usage on schema public to backstop_own");
  const told = await migrateEngine(stores.postgresUrl("backstop_own"), false).catch((error: Error) => error.message);
  expect(told).toMatch(/permission denied for schema public$/);
});

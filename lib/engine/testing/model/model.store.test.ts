import type pg from "pg";
import { afterAll, beforeAll, test } from "vitest";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { REGRESSIONS } from "./regressions";
import { runModel } from "./run-model";

let stores: TestStores;
let pool: pg.Pool;
beforeAll(async () => {
  stores = await openStores();
  pool = await stores.warmPool("engine", 4);
});
afterAll(() => stores.close());

test("25 random lives of a queue, 50 commands each: the store is what the model says after every one of them", async () => {
  await runModel(pool, { runs: 25, commands: 50 });
}, 120_000);

test.each(REGRESSIONS)("what failed once, and must not again: $what", async ({ seed, path, commands }) => {
  await runModel(pool, { runs: 1, commands, seed, path });
});

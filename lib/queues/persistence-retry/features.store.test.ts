import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { SEED_TABLES } from "@/scripts/testing/given-stores";
import { openStores } from "@/scripts/testing/stores";
import { readFeatures } from "./features";

test("a store that is still being migrated when the desk first looks is seen whole a second later", async () => {
  const stores = await openStores("bare");
  const reader = stores.pool("backstop_read");
  expect(await readFeatures(reader)).toMatchObject({ jobs: false, letters: false });
  await stores.pool("engine").query(SEED_TABLES);
  await sleep(1_100);
  expect(await readFeatures(reader)).toMatchObject({ jobs: true, letters: true, outcomes: false });
  await stores.close();
});

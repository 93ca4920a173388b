import { afterAll, beforeAll, test } from "vitest";
import { openTestQueue, type TestQueue } from "@/lib/engine/testing/work-queue";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { runModel } from "./run-model";

let stores: TestStores;
let queue: TestQueue;
beforeAll(async () => {
  stores = await openStores("bare");
  queue = await openTestQueue(stores.redisUrl("engine"), stores.redisUrl("admin"));
});
afterAll(async () => {
  await queue.close();
  await stores.close();
});

test("15 random lives of a list queue, 50 commands each: the store is what the model says after every one of them", async () => {
  await runModel(queue, { runs: 15, commands: 50 });
}, 120_000);

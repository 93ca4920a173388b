import type pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { readLetters, readOutcomes, requeueOne } from "@/lib/engine/durable/redis-work-queue";
import { readJournalFacts } from "@/lib/engine/session-lifecycle/facts";
import { type JournalWorld, openJournalWorld, until } from "@/lib/engine/session-lifecycle/testing";
import { beginFault, endFault } from "@/lib/engine/world/faults";
import { findOpenFault } from "@/lib/engine/world/faults/read-fault";
import { gather } from "@/lib/engine/world/players/crowd";
import { seedWorld } from "@/lib/engine/world/seed";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { countCleanups } from "./count-cleanups";
import { journalFaults } from "./play";
import { removeOverwritten } from "./presence-keys";

vi.setConfig({ testTimeout: 60_000 });

let stores: TestStores;
let pool: pg.Pool;
let world: JournalWorld;
beforeAll(async () => {
  stores = await openStores();
  pool = stores.pool("engine");
  await seedWorld(pool);
  world = await openJournalWorld(stores, pool);
});
afterAll(async () => {
  await world.close();
  await stores.close();
});

test("overwritten keys: eight cleanups die, two players come back; mended, the others recover and theirs change nothing", async () => {
  const faults = journalFaults(pool, world, gather({ pool, close: world }));
  expect(await beginFault(pool, "presence_keys", "op")).toBe("begun");
  await world.work({ attemptsMax: 2 });
  const open = await findOpenFault(pool);
  const dead = () => readLetters(world.queue, { max: 20, first: "oldest" });
  const activeSessions = async () => (await world.admin.keys("session:active:*")).length;
  await until(async () => {
    await faults.play(open);
    return (await dead()).length === 8 && (await activeSessions()) === 2;
  });
  // However long it goes on, no more are concerned.
  await faults.play(open);
  expect(await countCleanups(pool, world.queue)).toEqual({ waiting: 0, letters: 8 });
  for (const { value } of await dead()) expect(value?.error).toMatch(/^WRONGTYPE /);

  await endFault(pool, "presence_keys", "op");
  await removeOverwritten(pool, world.sessions);
  const ids = (await dead()).map(({ value }) => value?.deadLetterId ?? "");
  const { facts } = await readJournalFacts({ ...world, pool }, ids);
  const back = facts.filter(({ session }) => session?.active).map(({ dead_letter_id }) => dead_letter_id);
  expect(back).toHaveLength(2);
  for (const deadLetterId of ids) await requeueOne(world.queue, { deadLetterId, actor: "op" });
  await until(async () => (await readOutcomes(world.queue, ids)).every((outcome) => outcome !== null));
  for (const [n, outcome] of (await readOutcomes(world.queue, ids)).entries())
    expect(outcome?.outcome).toBe(back.includes(ids[n] ?? "") ? "superseded" : "recovered");
});

import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openArchive, type TestArchive } from "@/scripts/testing/archive";
import { startKeeper, type TestKeeper } from "@/scripts/testing/keeper";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { until } from "@/scripts/testing/until";

vi.setConfig({ testTimeout: 180_000 });

const KILLS = 6;
const LETTERS = 12_000;

let stores: TestStores;
let archive: TestArchive;
const keepers: TestKeeper[] = [];
beforeEach(async () => {
  stores = await openStores();
  archive = openArchive(stores);
});
afterEach(async () => {
  await Promise.all(keepers.splice(0).map((keeper) => keeper.end()));
  await stores.close();
});

const start = () => {
  const keeper = startKeeper(stores);
  keepers.push(keeper);
  return keeper;
};
/** Letters of the last quarter of an hour and of months ago, every tenth of which was requeued and is done. */
const fill = (letters: number, ago: string) =>
  archive.game.query(
    `with made as (
       insert into persistence_job_dead_letters (dead_letter_id, retry_job_id, job_kind, character_id, realm_id, payload,
         failed_attempts, error, dead_lettered_at, requeued_at, requeued_retry_job_id)
       select gen_random_uuid(), gen_random_uuid(), 'combat_rewards', gen_random_uuid(), 'realm-1', '{"n":' || n || '}', 8,
         'ERROR 23503 of job ' || n, clock_timestamp() - $2::interval * random(),
         case when n % 10 = 0 then clock_timestamp() end, case when n % 10 = 0 then gen_random_uuid() end
       from generate_series(1, $1::int) as n returning *)
     insert into persistence_retry_outcomes (retry_job_id, dead_letter_id, outcome, settled_at)
       select requeued_retry_job_id, dead_letter_id, 'recovered', clock_timestamp() from made where requeued_at is not null`,
    [letters, ago],
  );
const ids = async (which: "store" | "archive") => {
  const text =
    which === "store"
      ? "select dead_letter_id::text as id from persistence_job_dead_letters order by 1"
      : "select letter_id as id from backstop.dead_letters order by 1";
  return (await (which === "store" ? archive.game : archive.own).query(text)).rows.map((row) => row.id as string);
};
const count = async () =>
  (await archive.own.query("select count(*)::int as n from backstop.dead_letters")).rows[0].n as number;
/** As if the leases of the dead had run out: a test need not wait for them. */
const leasesEnd = () => archive.own.query("update backstop.duties set expires_at = '-infinity'");

test("a keeper killed while it archives: the next goes on, and each letter is kept once, none is missing", async () => {
  await fill(LETTERS, "90 days");
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = await count();
    const keeper = start();
    await until(async () => (await count()) > before || before === LETTERS);
    await fill(100, "10 seconds");
    // Another moment each time, and the same ones in each run.
    await sleep(kill * 50);
    await keeper.end("SIGKILL");
    await leasesEnd();
  }
  start();
  await until(async () => (await count()) >= LETTERS + KILLS * 100, 60_000);
  expect(await ids("archive")).toEqual(await ids("store"));
  const { rows } = await archive.own.query(
    "select state, count(*)::int as n from backstop.dead_letters group by state order by state",
  );
  expect(rows).toEqual([
    { state: "open", n: (LETTERS + KILLS * 100) * 0.9 },
    { state: "recovered", n: (LETTERS + KILLS * 100) * 0.1 },
  ]);
});

test("two keepers share the duties: one archives, and when it is killed the other goes on", async () => {
  start();
  start();
  await fill(500, "15 minutes");
  await until(async () => (await count()) === 500, 60_000);
  const holder = async () =>
    (await archive.own.query("select holder from backstop.duties where duty = 'archive:persistence-retry'")).rows[0]
      .holder as string;
  const holds = (held: string) => keepers.find(({ child }) => held.includes(`:${child.pid}:`));
  const first = await holder();
  await holds(first)?.end("SIGKILL");
  await fill(500, "1 second");
  await until(async () => (await count()) === 1_000, 60_000);
  // The other's walk may have found them sooner than the lease of the dead was over.
  await until(async () => (await holder()) !== first, 60_000);
  expect(await ids("archive")).toEqual(await ids("store"));
});

test("a keeper ends when it is asked to while it has more to archive", async () => {
  await fill(LETTERS, "90 days");
  const keeper = start();
  await until(async () => (await count()) > 0);
  await keeper.end("SIGTERM");
  expect(keeper.child.exitCode).toBe(0);
});

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { openArchive, type TestArchive } from "@/scripts/testing/archive";
import { archiveViolations } from "@/scripts/testing/archive-conservation";
import { type Bundle, bundleKeeper } from "@/scripts/testing/bundle-program";
import { type HeldUpAt, heldUp } from "@/scripts/testing/held-up";
import { startKeeper, type TestKeeper } from "@/scripts/testing/keeper";
import { sampleViolations } from "@/scripts/testing/sample-conservation";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { until } from "@/scripts/testing/until";

vi.setConfig({ testTimeout: 120_000 });

const LETTERS = 4_000;
const KILLS = 2;

let bundle: Bundle;
beforeAll(async () => {
  bundle = await bundleKeeper();
});
afterAll(() => bundle.remove());

let stores: TestStores;
let archive: TestArchive;
let admin: ReturnType<TestStores["pool"]>;
const keepers = new Map<string, TestKeeper>();
beforeEach(async () => {
  stores = await openStores();
  archive = openArchive(stores);
  admin = stores.pool("postgres", 4);
});
afterEach(async () => {
  await Promise.all([...keepers.values()].map((keeper) => keeper.end()));
  keepers.clear();
  await stores.close();
});

const start = (): TestKeeper => {
  const name = `keeper-${keepers.size + 1}`;
  const keeper = startKeeper(stores, { name, program: bundle.program });
  keepers.set(name, keeper);
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

/** Letters that are kept as dead are requeued by somebody else, and are done. */
const requeue = (letters: number) =>
  admin.query(
    `with back as (
       update public.persistence_job_dead_letters set requeued_at = clock_timestamp(), requeued_retry_job_id = gen_random_uuid()
         where dead_letter_id in (select letter_id::uuid from backstop.dead_letters where state = 'open' limit $1)
           and requeued_at is null returning *)
     insert into public.persistence_retry_outcomes (retry_job_id, dead_letter_id, outcome, settled_at)
       select requeued_retry_job_id, dead_letter_id, 'recovered', clock_timestamp() from back`,
    [letters],
  );

const count = async (table: "dead_letters" | "samples") =>
  (await archive.own.query(`select count(*)::int as n from backstop.${table}`)).rows[0].n as number;
/** As if the leases of the dead had run out, or were about to: a test need not wait for all of them. */
const leasesEnd = (within = "0 s") =>
  archive.own.query("update backstop.duties set expires_at = clock_timestamp() + $1::interval", [within]);
const holds = async (duty: string, keeper: TestKeeper) => {
  const { rows } = await archive.own.query("select holder from backstop.duties where duty = $1", [duty]);
  return rows.some(({ holder }) => holder.includes(`:${keeper.child.pid}:`));
};
const isConserved = async () => (await archiveViolations(admin)).length === 0;

/** SIGKILL of the keeper that has come to this. */
async function killWhile(at: HeldUpAt, ready?: () => Promise<unknown>): Promise<TestKeeper> {
  let dead: TestKeeper | undefined;
  const held = await heldUp(admin, at, {
    ...(ready ? { ready } : {}),
    withinMs: 15_000,
    async act(name) {
      dead = keepers.get(name);
      await dead?.end("SIGKILL");
      return dead !== undefined;
    },
  });
  if (!held || !dead) throw new Error(`no keeper came to where ${at}`);
  return dead;
}

test("a keeper killed while it archives: the next goes on, and each letter is kept once, none is missing", async () => {
  await fill(LETTERS, "90 days");
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = await count("dead_letters");
    const keeper = start();
    await until(async () => (await count("dead_letters")) > before || before >= LETTERS);
    await fill(100, "10 seconds");
    // Another moment each time, and the same ones in each run.
    await sleep(kill * 50);
    await keeper.end("SIGKILL");
    await leasesEnd();
  }
  for (const at of ["it writes groups", "it writes letters", "it moves a cursor", "it follows letters"] as const) {
    start();
    await killWhile(at, () => Promise.all([fill(100, "10 seconds"), requeue(20)]));
    await leasesEnd();
  }
  start();
  await until(isConserved, 60_000).catch(() => {});
  expect(await archiveViolations(admin)).toEqual([]);
  expect(await count("dead_letters")).toBe(LETTERS + (KILLS + 4) * 100);
});

test("a keeper killed in the middle of a sample: the other takes over, no 5 s are read twice, and each minute is what its samples say", async () => {
  await archive.game.query(
    `insert into persistence_retry_minute_counts (minute, job_kind, worker, done, failed, dead, lost_leases, stale_settles)
     select date_trunc('minute', clock_timestamp()) - m * interval '1 minute', 'combat_rewards', 'w', 3, 2, 1, 0, 0 from generate_series(0, 3) m`,
  );
  // Each reads as soon as it has started: the first comes to what is held for it.
  await killWhile("it writes a sample", async () => {
    start();
    start();
  });
  const dead = await killWhile("it rolls a sample up", async () => {
    await leasesEnd();
    start();
  });
  // What it had sent is in whole or not at all.
  await until(
    async () => (await admin.query("select from pg_stat_activity where wait_event_type = 'Lock'")).rowCount === 0,
  );
  expect(await sampleViolations(admin)).toEqual([]);
  await fill(200, "1 second");
  await leasesEnd("1 s");
  const before = await count("samples");
  await until(async () => (await count("samples")) > before, 30_000);
  expect(await holds("sample:persistence-retry", dead)).toBe(false);
  expect(await sampleViolations(admin)).toEqual([]);
  await until(isConserved).catch(() => {});
  expect(await archiveViolations(admin)).toEqual([]);
  expect(await holds("archive:persistence-retry", dead)).toBe(false);
});

test("a keeper ends when it is asked to while it has more to archive", async () => {
  await fill(3 * LETTERS, "90 days");
  const keeper = start();
  await until(async () => (await count("dead_letters")) > 0);
  await keeper.end("SIGTERM");
  expect(keeper.child.exitCode).toBe(0);
});

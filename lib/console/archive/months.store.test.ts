import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { archiveAll, openArchive, type TestArchive, walkAll } from "@/scripts/testing/archive";
import { makeLetter } from "@/scripts/testing/game";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { keepMonths } from "./months";

vi.setConfig({ testTimeout: 120_000 });

let stores: TestStores;
let archive: TestArchive;
beforeEach(async () => {
  stores = await openStores();
  archive = openArchive(stores);
});
afterEach(() => stores.close());

const error = "ERROR 23503: no zone 418";
const dies = async (diedAgo: string) => {
  const { letterId } = await makeLetter(archive.game, { error, diedAgo });
  await archiveAll(archive.own, archive.queue);
  await walkAll(archive.own, archive.queue);
  return letterId;
};
const becomes = (letterId: string, state: string, ago: string) =>
  archive.own.query(
    "update backstop.dead_letters set state = $2, state_at = clock_timestamp() - $3::interval where letter_id = $1",
    [letterId, state, ago],
  );
const months = async () =>
  (
    await archive.own.query(
      "select relname from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = 'backstop.dead_letters'::regclass",
    )
  ).rows.map(({ relname }) => relname as string);
const kept = async () =>
  (await archive.own.query("select letter_id from backstop.dead_letters")).rows.map((row) => row.letter_id as string);
const partitionOf = async (letterId: string) =>
  (
    await archive.own.query("select tableoid::regclass::text as of from backstop.dead_letters where letter_id = $1", [
      letterId,
    ])
  ).rows[0]?.of;

test("months older than 13 go as a whole where somebody is done with all letters; a letter that nobody is done with stays", async () => {
  const settled = await dies("450 days");
  const [open, done] = [await dies("600 days"), await dies("600 days")];
  const recent = await dies("380 days");
  const before = await partitionOf(settled);
  await becomes(settled, "recovered", "400 days");
  await becomes(done, "resolved", "400 days");
  await becomes(recent, "recovered", "300 days");
  await keepMonths(archive.own);
  expect((await kept()).sort()).toEqual([open, done, recent].sort());
  await becomes(done, "left_elsewhere", "1 day");
  await keepMonths(archive.own);
  expect((await kept()).sort()).toEqual([open, recent].sort());
  expect(await months()).not.toContain(before.replace("backstop.", ""));
  await becomes(open, "superseded", "1 day");
  await keepMonths(archive.own);
  expect(await kept()).toEqual([recent]);
});

test("what was taken away for its age is not brought in again while it is in its store", async () => {
  const letterId = await dies("600 days");
  await becomes(letterId, "recovered", "500 days");
  await archive.game.query(
    "update persistence_job_dead_letters set requeued_at = clock_timestamp(), requeued_retry_job_id = gen_random_uuid()",
  );
  await keepMonths(archive.own);
  await archiveAll(archive.own, archive.queue);
  await walkAll(archive.own, archive.queue);
  expect(await kept()).toEqual([]);
});

test("a row that came before its month moves into it when the month is made", async () => {
  const letterId = await dies("1 hour");
  const month = await partitionOf(letterId);
  const owner = stores.pool("backstop_migrate");
  await owner.query(
    `create table backstop.kept_aside as select * from backstop.dead_letters; drop table ${month};
     insert into backstop.dead_letters select * from backstop.kept_aside`,
  );
  expect(await partitionOf(letterId)).toBe("backstop.dead_letters_rest");
  await keepMonths(archive.own);
  expect(await partitionOf(letterId)).toBe(month);
});

test("a role that owns the schema keeps the archive as well as one that may only write rows", async () => {
  const owner = { ...archive, own: stores.pool("backstop_migrate") };
  await makeLetter(archive.game, { diedAgo: "70 days" });
  await archiveAll(owner.own, owner.queue);
  await keepMonths(owner.own);
  expect(await kept()).toHaveLength(1);
});

test("a month that stays is looked at without a lock: the archive is written and read meanwhile", async () => {
  await dies("600 days");
  // The next month, which is made under a lock, is there.
  await keepMonths(archive.own);
  const writer = await archive.own.connect();
  try {
    await writer.query("begin");
    await writer.query("update backstop.dead_letters set labels = labels");
    // Would wait for the writer until its own limit, and fail.
    await keepMonths(archive.own);
  } finally {
    await writer.query("rollback");
    writer.release();
  }
  expect(await kept()).toHaveLength(1);
});

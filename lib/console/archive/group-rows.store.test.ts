import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { archiveAll, openArchive, type TestArchive, walkAll } from "@/scripts/testing/archive";
import { makeLetter } from "@/scripts/testing/game";
import { openStores, type TestStores } from "@/scripts/testing/stores";

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
const regressed = async () =>
  (await archive.own.query("select regressed_at is not null as yes from backstop.error_groups")).rows.map(
    ({ yes }) => yes,
  );

test("a group whose letters were all settled or resolved has regressed when one dies of it again", async () => {
  await becomes(await dies("3 hours"), "recovered", "2 hours");
  await becomes(await dies("3 hours"), "resolved", "2 hours");
  expect(await regressed()).toEqual([false]);
  await dies("1 hour");
  expect(await regressed()).toEqual([true]);
});

test.each(["open", "awaiting", "requeued_elsewhere"])(
  "a group with a letter that is still %s is known and has not regressed",
  async (state) => {
    await becomes(await dies("3 hours"), "recovered", "2 hours");
    await becomes(await dies("3 hours"), state, "2 hours");
    await dies("1 hour");
    expect(await regressed()).toEqual([false]);
  },
);

test("a letter that had died before the others were settled is no regression, whenever it is found", async () => {
  await becomes(await dies("3 hours"), "recovered", "1 hour");
  await dies("2 hours");
  expect(await regressed()).toEqual([false]);
});

test("a letter that is first seen when it is settled is no regression", async () => {
  await becomes(await dies("3 hours"), "recovered", "2 hours");
  const { letterId } = await makeLetter(archive.game, { error, diedAgo: "1 hour" });
  await archive.game.query(
    `update persistence_job_dead_letters set requeued_at = clock_timestamp(), requeued_retry_job_id = gen_random_uuid()
     where dead_letter_id = $1`,
    [letterId],
  );
  await archiveAll(archive.own, archive.queue);
  expect(await regressed()).toEqual([false]);
});

import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { gapsOfAudit } from "@/lib/console/overview/gaps";
import { historyOf } from "@/lib/console/overview/history";
import { openStores, type TestStores } from "@/scripts/testing/stores";

let stores: TestStores;
beforeAll(async () => {
  stores = await openStores();
});
afterAll(() => stores.close());
beforeEach(() => stores.pool("backstop_own").query("delete from backstop.samples"));

/** One sample of the queue, so many seconds ago. */
async function sample(secondsAgo: number, dead: number | null, oldestMs: number | null = 100): Promise<void> {
  await stores
    .pool("backstop_own", 1)
    .query(
      "insert into backstop.samples (queue, at, dead, oldest_due_ms) values ('persistence-retry', statement_timestamp() - $1 * interval '1 second', $2, $3)",
      [secondsAgo, dead, oldestMs],
    );
}

async function read() {
  const history = await historyOf(stores.pool("backstop_own"), ["persistence-retry", "session-lifecycle"]);
  if (history.kind !== "read") throw new Error(history.sentence);
  const [retry, journal] = history.value.queues;
  if (!retry || !journal) throw new Error("a queue is missing");
  const ago = (atMs: number | null) => (atMs === null ? null : Math.round((history.value.toMs - atMs) / 1_000));
  return { retry, journal, since: ago(retry.sinceMs), quiet: retry.quietMs && Math.round(retry.quietMs / 1_000) };
}

it("the samples prove since when there are dead letters, and how long none was added", async () => {
  await sample(300, 0);
  await sample(295, 4);
  await sample(200, 9);
  await sample(100, 9);
  expect(await read()).toMatchObject({ since: 295, quiet: 100 });
  // Two left: a third may have come in the same moment.
  await sample(50, 7);
  await sample(5, 7);
  expect(await read()).toMatchObject({ since: 295, quiet: 45 });
});

it("a silence before the first of them proves no beginning", async () => {
  await sample(900, 0);
  await sample(300, 4);
  await sample(5, 4);
  expect((await read()).since).toBeNull();
});

it("letters that were always there have no beginning, and are quiet for as long as they were watched", async () => {
  await sample(100, 4);
  await sample(5, 4);
  expect(await read()).toMatchObject({ since: null, quiet: 95 });
});

it("a count that could not be told is neither a zero nor a growth, and hides none", async () => {
  await sample(30, 4);
  await sample(25, null);
  await sample(20, 4);
  expect(await read()).toMatchObject({ since: null, quiet: 10 });
  await sample(15, null);
  await sample(10, 6);
  await sample(5, 6);
  expect(await read()).toMatchObject({ since: null, quiet: 5 });
});

it("a queue that never tells an age has no line; one that does keeps its gaps", async () => {
  await sample(20, 0, 5_000);
  await sample(15, 0, null);
  await sample(10, 0, 0);
  const { retry, journal } = await read();
  expect(retry.points.map(({ ageMs }) => ageMs)).toEqual([5_000, null, 0]);
  expect(journal).toMatchObject({ points: [], sinceMs: null, quietMs: null, sampledMs: null });
});

it("the audit is append-only for the role of the embedded default, and not for an owner", async () => {
  expect((await gapsOfAudit(stores.pool("backstop_own"))).sentences).toEqual([]);
  expect((await gapsOfAudit(stores.pool("backstop_migrate"))).sentences).toHaveLength(1);
});

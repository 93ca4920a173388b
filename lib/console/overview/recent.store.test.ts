import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { gapsOfAudit } from "@/lib/console/overview/gaps";
import { recentOf } from "@/lib/console/overview/recent";
import { openStores, type TestStores } from "@/scripts/testing/stores";

let stores: TestStores;
beforeAll(async () => {
  stores = await openStores();
});
afterAll(() => stores.close());
beforeEach(async () => {
  await stores.pool("backstop_own", 1).query("delete from backstop.samples; delete from backstop.samples_minute");
});

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
  const recent = await recentOf(stores.pool("backstop_own"), ["persistence-retry", "session-lifecycle"]);
  if (recent.kind !== "read") throw new Error(recent.sentence);
  const [retry, journal] = recent.value.queues;
  if (!retry || !journal) throw new Error("a queue is missing");
  const ago = (atMs: number | null) => (atMs === null ? null : Math.round((recent.value.toMs - atMs) / 1_000));
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

it("flow has the last 30 whole minutes, in order, with a gap where nobody read; what is watched is their last 15", async () => {
  const own = stores.pool("backstop_own", 1);
  await own.query(
    `insert into backstop.samples_minute (queue, minute, read_at, due, retrying, done, died, lost_leases, durable_only)
     select 'persistence-retry', date_trunc('minute', statement_timestamp()) - m * interval '1 minute', statement_timestamp(), 100 + m, 5, m, 1, 2,
         jsonb_build_object('queue_full', 50 - m)
       from generate_series(0, 40) m where m <> 7`,
  );
  const { retry, journal } = await read();
  expect(retry.flow).toHaveLength(30);
  expect(retry.flow.at(-1)).toEqual({ rows: 106, done: 1, died: 1 });
  expect(retry.flow.at(-7)).toEqual({ rows: null, done: null, died: null });
  expect(retry.flow[0]).toEqual({ rows: 135, done: 30, died: 1 });
  expect(retry.watched).toMatchObject({
    ...{ minutes: 15, lostLeases: 28, died: 14, durableOnly: { queue_full: 14 } },
    ...{ rowsBefore: 119, rowsNow: 105, enqueueErrors: null },
  });
  expect(journal).toMatchObject({ levels: [], watched: { lostLeases: null, rowsNow: null, durableOnly: null } });
});

it("levels are all rows that are not dead; a count that stopped at its cap makes none", async () => {
  const own = stores.pool("backstop_own", 1);
  await own.query(
    `insert into backstop.samples (queue, at, due, scheduled, retrying, leased, expired, dead, capped) values
       ('persistence-retry', statement_timestamp() - interval '20 seconds', 1, 2, 3, 4, 5, 600, '{dead}'),
       ('persistence-retry', statement_timestamp() - interval '10 seconds', 50000, 2, 3, 4, 5, 600, '{due}')`,
  );
  const { retry, journal } = await read();
  expect(retry.levels.map(({ rows }) => rows)).toEqual([15, null]);
  expect(journal).toMatchObject({ levels: [], sinceMs: null, quietMs: null, sampledMs: null });
});

it("the audit is append-only for the role of the embedded default, and not for an owner", async () => {
  expect((await gapsOfAudit(stores.pool("backstop_own"))).sentences).toEqual([]);
  expect((await gapsOfAudit(stores.pool("backstop_migrate"))).sentences).toHaveLength(1);
});

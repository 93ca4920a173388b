import { expect, it } from "vitest";
import type { QueueOverview } from "./overview";
import type { QueueRecent, Watched } from "./recent";
import { signalsOf } from "./signals";

const QUIET: Watched = {
  minutes: 15,
  lostLeases: 0,
  died: 0,
  durableOnly: {},
  enqueueErrors: 0,
  rowsBefore: 40,
  rowsNow: 44,
};
const queue = (name: QueueOverview["name"], more: Partial<QueueOverview> = {}): QueueOverview => ({
  name,
  shape: name === "persistence-retry" ? "postgres-lease" : "redis-list",
  leases: true,
  schedules: true,
  lists: {
    jobs: name === "persistence-retry",
    letters: name === "persistence-retry",
    entries: name !== "persistence-retry",
  },
  depths: { kind: "read", value: { ...DEPTHS } },
  impacts: null,
  last: null,
  ...more,
});
const DEPTHS = {
  ...{ atMs: 0, due: 0, scheduled: 0, retrying: 0, leased: 0, expired: 0, processing: 0, dead: 0, oldestDueMs: 0 },
};
const recent = (name: QueueRecent["name"], watched: Partial<Watched>): QueueRecent => ({
  name,
  ...{ sinceMs: null, quietMs: null, sampledMs: null, levels: [], flow: [] },
  watched: { ...QUIET, ...watched },
});
const said = (watched: Partial<Watched>, journal: Partial<typeof DEPTHS> = {}) =>
  signalsOf(
    [
      queue("persistence-retry"),
      queue("session-lifecycle", { depths: { kind: "read", value: { ...DEPTHS, ...journal } } }),
    ],
    [recent("persistence-retry", watched), recent("session-lifecycle", watched)],
  );
const standing = (...args: Parameters<typeof said>) =>
  said(...args).flatMap(({ id, state, sentence }) => (state === "stands_out" ? [`${id}: ${sentence}`] : []));

it("all six are watched, and none stands out while all is well", () => {
  expect(said({}).map(({ state }) => state)).toEqual(["quiet", "quiet", "quiet", "quiet", "quiet", "quiet"]);
});

it.each<[Partial<Watched>, Partial<typeof DEPTHS>, string]>([
  [{ rowsBefore: 40, rowsNow: 488 }, {}, "persistence-retry:growing: From 40 to 488 rows in the last 15 min."],
  [{ lostLeases: 1 }, {}, "persistence-retry:leasing: 1 lease was lost in the last 15 min."],
  [{ died: 1_284 }, {}, "persistence-retry:died: 1,284 jobs died in the last 15 min."],
  [
    { durableOnly: { queue_full: 7, queue_closed: 0 } },
    {},
    "persistence-retry:durable-only: 7 writes were stored without telling the worker in the last 15 min: 7 queue full.",
  ],
  [{}, { due: 412, processing: 3 }, "session-lifecycle:depths: 412 pending, 3 processing, 0 dead."],
  [{}, { dead: 1 }, "session-lifecycle:depths: 0 pending, 0 processing, 1 dead."],
  [{ enqueueErrors: 2 }, {}, "session-lifecycle:enqueue: 2 enqueue errors in the last 15 min."],
])("each stands out by its own cause alone: %j %j", (watched, journal, sentence) => {
  expect(standing(watched, journal)).toEqual([sentence]);
});

it("a growth of a handful, or of less than a fifth, does not stand out", () => {
  expect(standing({ rowsBefore: 2, rowsNow: 21 })).toEqual([]);
  expect(standing({ rowsBefore: 1_000, rowsNow: 1_199 })).toEqual([]);
  expect(standing({ rowsBefore: 1_000, rowsNow: 1_200 })).toHaveLength(1);
});

it("what is not told is not quiet: it says that nobody looked", () => {
  const untold = {
    lostLeases: null,
    died: null,
    durableOnly: null,
    enqueueErrors: null,
    rowsBefore: null,
    rowsNow: null,
  };
  expect(said(untold).map(({ id, state }) => [id, state])).toEqual([
    ["session-lifecycle:depths", "quiet"],
    ["persistence-retry:growing", "untold"],
    ["persistence-retry:leasing", "untold"],
    ["persistence-retry:died", "untold"],
    ["persistence-retry:durable-only", "untold"],
    ["session-lifecycle:enqueue", "untold"],
  ]);
  expect(signalsOf([queue("persistence-retry")], []).every(({ state }) => state === "untold")).toBe(true);
});

it("a queue that is not configured has no signals", () => {
  expect(signalsOf([queue("session-lifecycle", { depths: { kind: "not_configured", sentence: "" } })], [])).toEqual([]);
});

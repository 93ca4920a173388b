import { expect, it } from "vitest";
import type { History } from "@/lib/domain/history";
import type { Overview } from "@/lib/domain/overview";
import type { Recent } from "@/lib/domain/recent";
import { historyOfQueues, ofQueues, recentOfQueues } from "./of-queues";

// Whatever a reading holds of another queue: its name must not be found in what a limited viewer is given.

const NAMES = ["persistence-retry", "session-lifecycle"] as const;
const named = NAMES.map((name) => ({ name }));
const LIMITED = { queues: ["session-lifecycle"] };
const ALL = { queues: null };

const demo = { kind: "read", value: { fault: null, brokenSinceMs: 1 } };
const overview = { queues: named, connections: [], demo } as unknown as Overview;
const recent = { kind: "read" as const, value: { toMs: 0, queues: named } as unknown as Recent };
const history = {
  kind: "read" as const,
  value: {
    queues: named,
    deaths: NAMES.map((queue) => ({ queue, kind: "k", counts: [], total: 1 })),
    marks: [...NAMES, null].map((queue) => ({ atMs: 0, word: "w", text: `of ${queue}`, href: null, queue })),
  } as unknown as History,
};

it.each([
  ["the overview", ofQueues(LIMITED)(overview)],
  ["what was sampled of late", recentOfQueues(LIMITED)(recent)],
  ["the charts", historyOfQueues(LIMITED)(history)],
])("%s tells who is limited of their queues alone", (_what, given) => {
  expect(JSON.stringify(given)).toContain("session-lifecycle");
  expect(JSON.stringify(given)).not.toContain("persistence-retry");
});

it("tells who is limited nothing of the demo's world, which is of all queues", () => {
  expect(ofQueues(LIMITED)(overview).demo).toBeNull();
});

it("tells everybody else all of it", () => {
  expect(ofQueues(ALL)(overview)).toEqual(overview);
  expect(recentOfQueues(ALL)(recent)).toEqual(recent);
  expect(historyOfQueues(ALL)(history)).toEqual(history);
});

it("keeps marks of no queue, and readings that failed", () => {
  const given = historyOfQueues(LIMITED)(history);
  expect(given.kind === "read" && given.value.marks.map(({ text }) => text)).toEqual([
    "of session-lifecycle",
    "of null",
  ]);
  const failed = { kind: "failed" as const, sentence: "s", code: "c" };
  expect([recentOfQueues(LIMITED)(failed), historyOfQueues(LIMITED)(failed)]).toEqual([failed, failed]);
});

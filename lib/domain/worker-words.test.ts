import { describe, expect, it } from "vitest";
import type { Worker, WorkerCounts, WorkerLeases } from "./worker";
import { workerState } from "./worker-state";
import { sayLostLeases, sayWorker } from "./worker-words";

const NOW = Date.UTC(2026, 10, 14, 3, 41, 7);
const minute = (before: number) => Date.UTC(2026, 10, 14, 3, 41 - before);
const leases = (live = 0, expired = 0): WorkerLeases => ({
  live,
  expired,
  firstEndMs: live + expired > 0 ? NOW - 147_000 : null,
});
const counts = (over: Partial<WorkerCounts> = {}): WorkerCounts => ({
  done: 0,
  failed: 0,
  lostLeases: 0,
  staleSettles: 0,
  settledMs: null,
  lostMs: null,
  minutes: { done: [], failed: [] },
  ...over,
});

describe("a worker's state is what the store proves of it, and no more", () => {
  it.each([
    ["it holds a live lease", leases(3), counts(), "alive"],
    ["it settled in this minute", leases(), counts({ settledMs: minute(0) }), "alive"],
    ["it settles, and a lease of it ended", leases(0, 1), counts({ settledMs: minute(0) }), "late"],
    ["it holds live leases and lost others just now", leases(2), counts({ lostMs: minute(1) }), "late"],
    ["it settled and lost in one minute", leases(), counts({ settledMs: minute(1), lostMs: minute(1) }), "late"],
    ["it lost leases and settled nothing after", leases(), counts({ settledMs: minute(1), lostMs: minute(0) }), "lost"],
    ["its leases ended and it was not heard of", leases(0, 4), counts({ settledMs: minute(5) }), "lost"],
    ["it lost leases just now, and they were taken up", leases(), counts({ lostMs: minute(0) }), "lost"],
    ["it lost leases half an hour ago", leases(), counts({ lostMs: minute(30) }), "gone"],
    ["it lost leases and settled later", leases(), counts({ settledMs: minute(10), lostMs: minute(30) }), "quiet"],
    ["it holds nothing and settled a while ago", leases(), counts({ settledMs: minute(10) }), "quiet"],
    ["nothing is counted, and its leases ended", leases(0, 4), null, "untold"],
    ["nothing is counted, and it holds live ones", leases(2, 4), null, "late"],
  ] as const)("%s", (_what, held, counted, state) => {
    expect(workerState(held, counted, NOW)).toBe(state);
  });

  it("and is said in a sentence that names the proof", () => {
    const worker = (held: WorkerLeases, counted: WorkerCounts | null): Worker => ({
      name: "engine-x",
      state: workerState(held, counted, NOW),
      leases: held,
      counts: counted,
    });
    expect(sayWorker(worker(leases(0, 4), counts({ settledMs: minute(5) })), NOW)).toBe(
      "Its oldest lease ended 2m 27s ago. It last settled at 03:36.",
    );
    expect(sayWorker(worker(leases(0, 4), null), NOW)).toBe(
      "Its leases ended 2m 27s ago. Whether it still works cannot be told: this store counts no settles.",
    );
  });
});

describe("the line of lost leases", () => {
  const of = (name: string, lostLeases: number, staleSettles = 0): Worker => ({
    name,
    state: "alive",
    leases: leases(),
    counts: counts({ lostLeases, staleSettles }),
  });
  const say = (...workers: Worker[]) => sayLostLeases({ atMs: NOW, workers, more: false, uncounted: null });

  it("says that none was lost, or how many and whose, the most first", () => {
    expect(say(of("engine-x", 0))).toBe("No lease was lost in the last hour.");
    expect(say(of("engine-x", 1))).toBe("1 lease was lost in the last hour, by engine-x (1).");
    expect(say(of("engine-y", 1), of("engine-x", 2))).toBe(
      "3 leases were lost in the last hour, by engine-x (2) and engine-y (1).",
    );
    expect(say(of("a", 5), of("b", 4), of("c", 3), of("d", 2), of("e", 1))).toBe(
      "15 leases were lost in the last hour, by a (5), b (4), c (3) and 2 others.",
    );
  });

  it("names whose late settles were refused", () => {
    expect(say(of("engine-x", 2, 1))).toBe(
      "2 leases were lost in the last hour, by engine-x (2). 1 late settle was refused, of engine-x (1).",
    );
  });

  it("speaks of those alone that it was told of", () => {
    expect(sayLostLeases({ atMs: NOW, workers: [], more: true, uncounted: null })).toBe(
      "No lease of the workers shown was lost in the last hour.",
    );
    expect(sayLostLeases({ atMs: NOW, workers: [], more: false, uncounted: "No counts here." })).toBe(
      "No counts here.",
    );
  });
});

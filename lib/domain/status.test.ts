import { describe, expect, it } from "vitest";
import type { Impact } from "./impact";
import type { DemoView, Overview, QueueOverview } from "./overview";
import { openLetters } from "./overview-facts";
import type { Depths, Reading } from "./queue";
import type { DeadHistory } from "./recent";
import { markOf, type Status, statusOf } from "./status";

const NOW = Date.UTC(2026, 10, 14, 3, 41, 7);
const QUIET: Depths = {
  atMs: NOW,
  due: 2,
  scheduled: 1,
  retrying: 0,
  leased: 3,
  expired: 0,
  processing: null,
  dead: 0,
  oldestDueMs: 800,
};
const FAILED = { kind: "failed", code: "ECONNREFUSED", sentence: "Postgres does not answer." } as const;

const retry = (depths: Partial<Depths> | Reading<Depths>, last: QueueOverview["last"] = null): QueueOverview => ({
  name: "persistence-retry",
  shape: "postgres-lease",
  leases: true,
  schedules: true,
  lists: { jobs: true, letters: true, entries: false },
  depths: "kind" in depths ? depths : { kind: "read", value: { ...QUIET, ...depths } },
  impacts: null,
  last,
});
const journal = (depths: Partial<Depths> | Reading<Depths>): QueueOverview => ({
  ...retry("kind" in depths ? depths : { ...QUIET, leased: null, expired: null, oldestDueMs: null, ...depths }),
  name: "session-lifecycle",
  shape: "redis-list",
  leases: false,
  schedules: false,
  lists: { jobs: false, letters: false, entries: false },
});

function say(
  queues: QueueOverview[],
  history: Record<string, Partial<DeadHistory>> = {},
  demo: Overview["demo"] = null,
) {
  const known = Object.entries(history).map(
    ([name, each]) => [name, { sinceMs: null, quietMs: null, sampledMs: NOW, ...each }] as const,
  );
  const overview: Overview = { clock: { kind: "read", value: { atMs: NOW } }, queues, connections: [], demo };
  const status = statusOf(overview, new Map(known));
  return { ...status, text: textOf(status), facts: status.facts.map(({ text }) => text) };
}
const textOf = ({ parts }: Status) => parts.map(({ text }) => text).join("");

describe("when all is well", () => {
  it("says so of what was read, and no more", () => {
    expect(say([retry({}), journal({})])).toMatchObject({
      mark: "ok",
      text: "All 2 queues are keeping up. Nothing waits for a decision.",
      facts: [],
      review: null,
    });
    expect(say([retry({})]).text).toBe("persistence-retry is keeping up. Nothing waits for a decision.");
  });

  it("counts no queue that is not configured", () => {
    const none = { kind: "not_configured", sentence: "REDIS_URL is not set." } as const;
    expect(say([retry({}), journal(none)]).text).toBe("persistence-retry is keeping up. Nothing waits for a decision.");
    expect(say([retry(none), journal(none)])).toMatchObject({ mark: "unconfigured", text: "No queue is configured." });
  });

  it("does not call well what could not be told", () => {
    expect(say([retry({}), journal({ dead: null })])).toMatchObject({
      mark: "warn",
      text: "All 2 queues are keeping up. Whether dead letters wait in session-lifecycle could not be told.",
    });
  });
});

describe("when dead letters wait", () => {
  it("leads to them, and names a single one in the singular", () => {
    const status = say([retry({ dead: 1_284 }), journal({})]);
    expect(status).toMatchObject({ mark: "dead", review: "/dead-letters?queue=persistence-retry" });
    expect(status.text).toBe("1,284 dead letters wait for a decision.");
    expect(status.parts[0]).toEqual({
      text: "1,284 dead letters",
      href: "/dead-letters?queue=persistence-retry&state=open&view=list",
    });
    expect(say([retry({ dead: 1 }), journal({})]).text).toBe("1 dead letter waits for a decision.");
  });

  it("says since when and how quiet it is only where the samples prove it", () => {
    const sinceMs = Date.UTC(2026, 10, 14, 3, 2, 11);
    expect(say([retry({ dead: 9 })], { "persistence-retry": { sinceMs, quietMs: 245_000 } }).text).toBe(
      "9 dead letters since 03:02 wait for a decision. None was added for 4m 05s.",
    );
    expect(say([retry({ dead: 9 })], { "persistence-retry": { quietMs: 1_795_000 } }).text).toBe(
      "9 dead letters wait for a decision. None was added in the last 30 min.",
    );
    expect(say([retry({ dead: 9 })], { "persistence-retry": { quietMs: 20_000 } }).text).toBe(
      "9 dead letters wait for a decision.",
    );
  });

  it("names the queues when there are several, and links only what is listed", () => {
    const status = say([retry({ dead: 1_284 }), journal({ dead: 38 })]);
    expect(status.text).toBe(
      "1,284 dead letters in persistence-retry and 38 dead letters in session-lifecycle wait for a decision.",
    );
    expect(status.parts.filter(({ href }) => href)).toHaveLength(1);
    expect(say([retry({}), journal({ dead: 38 })])).toMatchObject({
      text: "38 dead letters in session-lifecycle wait for a decision.",
      review: null,
    });
  });

  it("tells what else is behind", () => {
    expect(say([retry({ dead: 2, expired: 190 })]).text).toBe(
      "2 dead letters wait for a decision. persistence-retry is behind: 190 leases have expired.",
    );
  });
});

describe("when a queue is behind", () => {
  it("says by what, and that nothing waits for a decision", () => {
    expect(say([retry({ expired: 1, oldestDueMs: 588_000 }), journal({})])).toMatchObject({
      mark: "expired",
      text: "persistence-retry is behind: 1 lease has expired and its oldest row has waited 9m 48s. Nothing waits for a decision.",
    });
  });
});

describe("when writes that degrade a session wait for too long", () => {
  const waiting = (late: number, oldestMs: number, impact: Impact = "SessionDegraded"): QueueOverview => ({
    ...retry({}),
    impacts: { kind: "read", value: [{ impact, waiting: late + 3, late, oldestMs }] },
  });

  it("says how many and how long, leads to them, and calls nothing well", () => {
    const status = say([waiting(12, 250_000), journal({})]);
    expect(status).toMatchObject({
      mark: "expired",
      text: "12 writes that degrade a session wait longer than 2 min, the oldest 4m 10s. Nothing waits for a decision.",
    });
    expect(status.parts[0]?.href).toBe(
      "/retries?queue=persistence-retry&state=due,scheduled,retrying,expired&impact=SessionDegraded",
    );
    expect(say([waiting(1, 250_000)]).text).toBe(
      "1 write that degrades a session waits longer than 2 min: 4m 10s. Nothing waits for a decision.",
    );
  });

  it("comes after the dead letters, which wait for a person", () => {
    const both = { ...waiting(12, 250_000), depths: retry({ dead: 2 }).depths };
    expect(say([both])).toMatchObject({
      mark: "dead",
      text: "2 dead letters wait for a decision. 12 writes that degrade a session wait longer than 2 min, the oldest 4m 10s.",
    });
  });

  it("is calm while they are young, of another impact, or not told", () => {
    const calm = "persistence-retry is keeping up. Nothing waits for a decision.";
    const untold = { kind: "not_configured", sentence: "The rows have no session_impact." } as const;
    for (const queue of [waiting(0, 119_000), waiting(40, 900_000, "None"), { ...retry({}), impacts: untold }])
      expect(say([queue])).toMatchObject({ mark: "ok", text: calm });
  });

  it("marks a write that should end the session, which no known origin makes", () => {
    expect(say([waiting(0, 1_000, "DisconnectRequired")])).toMatchObject({
      mark: "expired",
      text: "3 writes should end their sessions, and wait. Nothing waits for a decision.",
    });
  });
});

describe("when a source does not answer", () => {
  const last = { depths: { ...QUIET, atMs: Date.UTC(2026, 10, 14, 3, 12, 6), dead: 441 }, ageMs: 42_000 };

  it("speaks of the others only, and of it what was read last", () => {
    expect(say([retry(FAILED, last), journal({})])).toMatchObject({
      mark: "warn",
      text: "Postgres does not answer: persistence-retry cannot be read. session-lifecycle is keeping up.",
      facts: ["persistence-retry was last read at 03:12:06: 441 dead letters then"],
      review: null,
    });
  });

  it("never says that nothing waits", () => {
    expect(say([retry(FAILED), journal(FAILED)]).text).toBe(
      "Postgres does not answer: persistence-retry and session-lifecycle cannot be read.",
    );
    expect(say([retry(FAILED), journal({ dead: 3 })]).text).toBe(
      "Postgres does not answer: persistence-retry cannot be read. 3 dead letters in session-lifecycle wait for a decision.",
    );
  });
});

describe("the facts below", () => {
  it("name a keeper that has stopped sampling", () => {
    expect(say([retry({})], { "persistence-retry": { sampledMs: NOW - 42_000 } }).facts).toEqual([
      "The keeper has not sampled persistence-retry for 42s",
    ]);
  });

  it("name a demo that is broken", () => {
    const value: DemoView = {
      brokenSinceMs: Date.UTC(2026, 10, 14, 3, 12, 6),
      zoneName: "Ashfall",
      letters: 0,
      lettersMax: 40,
      idle: false,
      characters: 200,
      fault: null,
    };
    expect(say([retry({})], {}, { kind: "read", value }).facts).toEqual([
      "The demo's catalog is broken since 03:12:06",
    ]);
    const rest = { endsMs: null, frozenMs: null, writes: 3, writesMax: 40, waiting: 3, letters: 0 };
    const fault = { fault: "worker_stopped", sinceMs: Date.UTC(2026, 10, 14, 3, 20, 1), ...rest } as const;
    expect(say([retry({})], {}, { kind: "read", value: { ...value, brokenSinceMs: null, fault } }).facts).toEqual([
      "The demo's retry worker is stopped since 03:20:01",
    ]);
  });
});

describe("when nobody works", () => {
  it("says that nothing is claimed, once a due row could have been taken for long and no lease is held", () => {
    const status = say([retry({ due: 12, leased: 0, untakenMs: 45_000 })]);
    expect(status).toMatchObject({
      mark: "expired",
      text: "Nothing is being claimed: 12 rows are due in persistence-retry, the longest for 45s, and no lease is held. Nothing waits for a decision.",
      runbook: "worker-stopped",
    });
    for (const fine of [{ leased: 1, untakenMs: 45_000 }, { leased: 0, untakenMs: 19_000 }, { leased: 0 }])
      expect(say([retry(fine)])).toMatchObject({ mark: "ok", runbook: null });
  });

  it("says that the engine does not answer, before all that could be read, and what leases that end then mean", () => {
    const note =
      "The engine is down: 127.0.0.1:4100 refused the connection. Nothing was changed. Start it, then try again.";
    const connections = [{ name: "Engine", state: "no_answer" as const, ms: null, note }];
    const overview = (queue: QueueOverview): Overview => ({
      clock: { kind: "read", value: { atMs: NOW } },
      queues: [queue],
      connections,
      demo: null,
    });
    const calm = statusOf(overview(retry({})), new Map());
    expect(textOf(calm)).toBe(
      "The engine is down: 127.0.0.1:4100 refused the connection. persistence-retry is keeping up. Nothing waits for a decision.",
    );
    expect(calm.mark).toBe("warn");
    expect(statusOf(overview(retry({ expired: 2 })), new Map()).runbook).toBe("worker-frozen");
  });
});

it("the runbook is opened at the worst that is known, and at nothing when all is well", () => {
  const degraded: QueueOverview = {
    ...retry({ expired: 2 }),
    impacts: { kind: "read", value: [{ impact: "SessionDegraded", waiting: 1, late: 1, oldestMs: 130_000 }] },
  };
  for (const [queues, entry] of [
    [[retry(FAILED), journal({ dead: 3 })], "postgres-away"],
    [[retry({ dead: 1 }), journal(FAILED)], "redis-away"],
    [[retry({ dead: 1, expired: 2 })], "dead"],
    [[degraded], "session-degraded"],
    [[retry({ expired: 2, oldestDueMs: 500_000 })], "lease-expired"],
    [[retry({ oldestDueMs: 500_000 })], "due-late"],
    [[retry({}), journal({})], null],
  ] as const)
    expect(say([...queues]).runbook).toBe(entry);
});

it("a queue's mark is the worst that is known of it", () => {
  expect(markOf(retry({ dead: 1, expired: 5 }))).toBe("dead");
  expect(markOf(retry({ expired: 5 }))).toBe("expired");
  expect(markOf(retry({ oldestDueMs: 121_000 }))).toBe("expired");
  expect(markOf(retry({}))).toBe("ok");
  expect(markOf(retry(FAILED))).toBe("warn");
  expect(markOf(journal({ dead: null }))).toBe("warn");
});

describe("letters that a person has resolved", () => {
  it("wait for nobody: what is open is what is dead and not resolved", () => {
    const queue = { ...retry({ dead: 21 }), resolved: 20 };
    expect(say([queue, journal({})]).text).toBe("1 dead letter waits for a decision.");
    expect(openLetters({ queues: [queue] } as Overview)).toBe(1);
  });

  it("make no alarm when all are, and are not guessed when it is not told", () => {
    const all = { ...retry({ dead: 21 }), resolved: 21 };
    expect([markOf(all), openLetters({ queues: [all] } as Overview)]).toEqual(["ok", 0]);
    expect(say([all, journal({})]).review).toBeNull();
    expect(say([{ ...retry({ dead: 21 }), resolved: null }]).text).toContain("21 dead letters wait");
  });
});

import { expect, it } from "vitest";
import type { RetryJob } from "./retry";
import { stateAt } from "./retry-state";

const NOW = Date.UTC(2026, 10, 14, 3, 41, 7);
const JOB: RetryJob = {
  id: "job",
  kind: "combat_rewards",
  subjectId: "character",
  subjectName: null,
  realmId: "eu-1",
  zoneId: null,
  state: "due",
  attempts: 1,
  lease: null,
  nextAttemptMs: NOW + 4_000,
  createdMs: NOW - 60_000,
  lastError: null,
  requeuedFrom: null,
  impact: null,
  lostLeases: null,
};
const lease = { owner: "worker", untilMs: NOW + 12_000 };

it.each([
  ["a lease that lasts", { lease }, 0, "leased"],
  ["a lease at its end", { lease }, 12_000, "expired"],
  ["a lease without end", { lease: { owner: "worker", untilMs: 8.64e15 } }, 1e12, "leased"],
  ["a time that is still to come, after a failure", {}, 0, "retrying"],
  ["a time that is still to come, before any try", { attempts: 0 }, 0, "scheduled"],
  ["a time that has come", {}, 4_000, "due"],
] as const)("%s", (_, row, afterMs, state) => expect(stateAt({ ...JOB, ...row }, NOW + afterMs)).toBe(state));

import { expect, it } from "vitest";
import { beatOf, sayBeat, sayBytes, sayWaiting } from "./list-words";

const counts = { pending: 12, retrying: 3, plainProcessing: 0, dead_letter: 0 };

it("what waits is said with the age of the oldest, and never a zero for what could not be told", () => {
  expect(sayWaiting({ counts, oldestMs: { pending: 750_000, retrying: null }, atMs: 1_000_000 })).toBe(
    "12 entries wait, the oldest for 4m 10s; 3 entries failed before.",
  );
  const none = { ...counts, pending: 0, retrying: 0 };
  expect(sayWaiting({ counts: none, oldestMs: { pending: null, retrying: null }, atMs: 0 })).toBe("0 entries wait.");
  const untold = { ...counts, pending: null, retrying: 0 };
  expect(sayWaiting({ counts: untold, oldestMs: { pending: null, retrying: null }, atMs: 0 })).toBe(
    "How many entries wait could not be told.",
  );
});

it("a runtime is gone once its heartbeat is older than what a start brings back", () => {
  const at = 1_000_000;
  expect([1, 16_000, 31_000].map((age) => beatOf({ beatMs: at - age }, at))).toEqual(["alive", "late", "gone"]);
  expect(beatOf({ beatMs: null }, at)).toBe("untold");
  expect(sayBeat({ beatMs: at - 60_000, held: 2 }, at)).toBe(
    "Last heard of 1 min ago: the next start of a worker brings back what it held.",
  );
});

it("bytes in the unit that fits", () => {
  expect([0, 812, 5_000_000, 3 * 1024 ** 3].map(sayBytes)).toEqual(["0 B", "812 B", "4.8 MiB", "3.0 GiB"]);
});

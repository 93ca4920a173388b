import { expect, test } from "vitest";
import type { FaultView } from "./demo-fault";
import { sayFault } from "./demo-fault-words";

const at = (minute: number, second: number) => Date.UTC(2026, 10, 14, 3, minute, second);
const LOCK: FaultView = {
  fault: "row_lock",
  sinceMs: at(12, 6),
  endsMs: at(14, 6),
  frozenMs: null,
  writes: 3,
  writesMax: 8,
  waiting: 2,
  letters: 1,
};

test("a fault says since when, when it ends by itself or that it does not, and what became of its writes", () => {
  expect(sayFault(LOCK)).toBe("Since 03:12:06, over by itself at 03:14:06. 3 of 8 writes so far: 2 wait, 1 is dead.");
  expect(sayFault({ ...LOCK, fault: "poison", endsMs: null, writes: 0 })).toBe(
    "Since 03:12:06, until it is mended. 0 of 8 writes so far.",
  );
});

test("a freeze ends at the latest at a time, until it has begun; then it is known when it is thawed", () => {
  const freeze: FaultView = { ...LOCK, fault: "worker_frozen", writes: 0 };
  expect(sayFault(freeze)).toMatch(/^Since 03:12:06, over by itself at the latest at 03:14:06\./);
  expect(sayFault({ ...freeze, frozenMs: at(12, 9), endsMs: at(12, 24) })).toMatch(
    /^Frozen at 03:12:09, thawed at 03:12:24\./,
  );
});

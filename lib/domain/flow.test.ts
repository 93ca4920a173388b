import { expect, it } from "vitest";
import { inOut, perSecond } from "./flow";

it("in is what left and what the rows grew by; what is not told makes neither", () => {
  const minute = (rows: number | null, done: number | null, died: number | null = 0) => ({ rows, done, died });
  expect(inOut([minute(100, 1), minute(130, 60, 10), minute(90, 0), minute(null, 5), minute(5, null)])).toEqual([
    { into: 100, out: 70 },
    { into: 0, out: 0 },
    { into: null, out: 5 },
    { into: null, out: null },
  ]);
});

it("a rate is the mean of the last five minutes that were told", () => {
  expect(perSecond([6_000, 60, 120, null, 60, 120, 0])).toBeCloseTo(75 / 60);
  expect(perSecond([null, null])).toBeNull();
});

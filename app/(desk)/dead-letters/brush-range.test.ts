import { expect, test } from "vitest";
import { countTicks } from "@/components/charts/scale";
import { arrowStep, moved, stretchOf } from "./brush-range";

test("a stretch is the same in whichever direction it is drawn, and ends where the plot does", () => {
  expect(stretchOf(7, 3, 60)).toEqual({ first: 3, last: 7 });
  expect(stretchOf(-4, 900, 60)).toEqual({ first: 0, last: 59 });
});

test("an end moves by its bins, never past the other nor out of the plot", () => {
  const range = { first: 10, last: 12 };
  expect(moved(range, "first", -1, 60)).toEqual({ first: 9, last: 12 });
  expect(moved(range, "first", 5, 60)).toEqual({ first: 12, last: 12 });
  expect(moved(range, "last", -5, 60)).toEqual({ first: 10, last: 10 });
  expect(moved({ first: 10, last: 58 }, "last", 5, 60)).toEqual({ first: 10, last: 59 });
});

test("arrow keys step by one bin, with Shift by five, and no other key steps", () => {
  const steps = [arrowStep("ArrowLeft", false), arrowStep("ArrowRight", true), arrowStep("Enter", true)];
  expect(steps).toEqual([-1, 5, 0]);
});

test("an axis of counts has two to four whole marks and its top is not below the highest bar", () => {
  for (let max = 0; max < 3_000; max += 1) {
    const ticks = countTicks(max);
    expect(ticks.length).toBeGreaterThanOrEqual(2);
    expect(ticks.length).toBeLessThanOrEqual(4);
    expect(ticks.every(Number.isInteger)).toBe(true);
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(max);
  }
});

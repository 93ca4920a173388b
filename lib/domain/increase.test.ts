import { expect, it } from "vitest";
import { increaseOf, increasesOf } from "./increase";

it("a counter grows by what came between its readings, and after a restart by all that it says", () => {
  expect(increaseOf([4, 4, 9])).toBe(5);
  expect(increaseOf([null, 4, null, 9])).toBe(5);
  expect(increaseOf([100, 3, 5])).toBe(5);
});

it("one reading proves no growth, and none neither", () => {
  expect([increaseOf([7]), increaseOf([null, 7, null]), increaseOf([]), increasesOf([null, {}])]).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

it("each reason is counted by itself; one that was not named before was 0", () => {
  expect(increasesOf([{ queue_full: 2 }, { queue_full: 5, queue_closed: 1 }])).toEqual({
    queue_closed: 1,
    queue_full: 3,
  });
  expect(increasesOf([{}, {}])).toEqual({});
});

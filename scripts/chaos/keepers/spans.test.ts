import { expect, test } from "vitest";
import { gapsOf, within } from "./spans";

test("what lies in several stretches at once is counted once, and only what lies in the asked one", () => {
  const others = [
    { fromMs: 40, toMs: 60 },
    { fromMs: 0, toMs: 20 },
    { fromMs: 50, toMs: 55 },
    { fromMs: 15, toMs: 45 },
    { fromMs: 90, toMs: 200 },
  ];
  expect(within({ fromMs: 10, toMs: 100 }, others)).toBe(60);
  expect(within({ fromMs: 60, toMs: 90 }, others)).toBe(0);
  expect(within({ fromMs: 10, toMs: 100 }, [])).toBe(0);
});

test("each gap between two instants is told with what excuses it", () => {
  expect(gapsOf([0, 5, 30], [{ fromMs: 4, toMs: 20 }])).toEqual([
    { fromMs: 0, toMs: 5, excused: 1 },
    { fromMs: 5, toMs: 30, excused: 15 },
  ]);
  expect(gapsOf([7], [])).toEqual([]);
});

import { describe, expect, it } from "vitest";
import { ageTicks, ageTickText, countTicks, timeTicks, timeTickText } from "./scale";

const MINUTE = 60_000;

describe("the axis of ages", () => {
  it.each([
    [0, ["0", "1s", "2s"]],
    [4_000, ["0", "2s", "4s"]],
    [22 * MINUTE, ["0", "10m", "20m", "30m"]],
    [49 * 60 * MINUTE, ["0", "1d", "2d", "3d"]],
  ])("for %d ms", (max, texts) => expect(ageTicks(max).map(ageTickText)).toEqual(texts));

  it("has two to four marks and covers every value", () => {
    for (let max = 1; max < 4e12; max = Math.ceil(max * 1.37)) {
      const ticks = ageTicks(max);
      expect(ticks.length).toBeGreaterThanOrEqual(2);
      expect(ticks.length).toBeLessThanOrEqual(4);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(max);
    }
  });
});

describe("the axis of time", () => {
  const from = (minute: number) => Date.UTC(2026, 10, 14, 3, minute, 7);
  it.each([
    [11, ["03:11", "03:20", "03:30", "03:41"]],
    [24, ["03:24", "03:40", "03:54"]],
  ])("from minute %d names both ends, and nothing that would touch their words", (minute, texts) => {
    const ticks = timeTicks(from(minute), from(minute) + 30 * MINUTE);
    expect(ticks.map((at) => new Date(at).toISOString().slice(11, 16))).toEqual(texts);
  });
});

it("an axis of days names days, one of hours names minutes, both in UTC", () => {
  const at = Date.UTC(2026, 10, 14, 23, 50);
  expect([timeTickText(at, 24 * 60 * MINUTE), timeTickText(at, 7 * 24 * 60 * MINUTE)]).toEqual(["23:50", "11-14"]);
});

it("an axis of counts has two to four whole marks and covers every value", () => {
  expect(countTicks(0)).toEqual([0, 1]);
  expect(countTicks(1_284)).toEqual([0, 500, 1_000, 1_500]);
  for (let max = 0; max < 1e7; max = Math.ceil(max * 1.37 + 1)) {
    const ticks = countTicks(max);
    expect(ticks.length).toBeGreaterThanOrEqual(2);
    expect(ticks.length).toBeLessThanOrEqual(4);
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(max);
    expect(ticks.every(Number.isInteger)).toBe(true);
  }
});

import { describe, expect, it } from "vitest";
import { forecastOf } from "./forecast";
import type { FlowMinute, Level } from "./recent";

const FLOWS: FlowMinute[] = Array.from({ length: 5 }, () => ({ rows: 10, done: 60, died: 0 }));
/** A reading every 5 s for 5 min, by the number of the reading. */
const levels = (rowsAt: (index: number) => number | null): Level[] =>
  Array.from({ length: 60 }, (_, index) => ({ atMs: index * 5_000, rows: rowsAt(index) }));
const judged = (rowsAt: (index: number) => number | null, flow = FLOWS) => forecastOf({ levels: levels(rowsAt), flow });

describe("a forecast", () => {
  it("488 rows that fall by 2.4 a second clear in 3m 23s", () => {
    const forecast = judged((index) => 488 + (59 - index) * 12);
    expect(forecast).toMatchObject({ kind: "clears", rows: 488 });
    if (forecast.kind !== "clears") throw new Error(forecast.kind);
    expect(forecast.drain).toBeCloseTo(2.4);
    expect(Math.floor(forecast.inMs / 1_000)).toBe(203);
  });

  it("what grows will not clear, and says how fast", () => {
    expect(judged((index) => 100 + index * 5)).toMatchObject({ kind: "growing", growth: expect.closeTo(1) });
  });

  it("what goes up and down by a few is steady, and so is a handful", () => {
    expect(judged((index) => 200 + (index % 2))).toEqual({ kind: "steady", rows: 200 + 1 });
    expect(judged((index) => Math.min(9, index))).toEqual({ kind: "steady", rows: 9 });
  });

  it("rows that nobody settles are stuck, not steady", () => {
    const nobody = FLOWS.map((minute) => ({ ...minute, done: 0 }));
    expect(judged(() => 21, nobody)).toEqual({ kind: "stuck", rows: 21, minutes: 2 });
    const untold = FLOWS.map(() => ({ rows: 21, done: null, died: null }));
    expect(judged(() => 21, untold)).toEqual({ kind: "steady", rows: 21 });
  });

  it("an empty queue is empty at once", () => {
    expect(forecastOf({ levels: [{ atMs: 0, rows: 0 }], flow: [] })).toEqual({ kind: "empty" });
  });

  it("nothing is made of too few readings, of counts that stopped at their cap, or of what lies before a gap", () => {
    expect(forecastOf({ levels: [], flow: [] })).toEqual({ kind: "untold" });
    expect(forecastOf({ levels: levels(() => 50).slice(0, 5), flow: FLOWS })).toEqual({ kind: "untold" });
    expect(judged(() => null)).toEqual({ kind: "untold" });
    // A steep fall, then a minute's silence, then flat: the fall is of another time.
    const gap = levels((index) => (index < 30 ? 1_000 - index * 20 : 300)).filter(
      ({ atMs }) => atMs < 100_000 || atMs > 160_000,
    );
    expect(forecastOf({ levels: gap, flow: FLOWS })).toEqual({ kind: "steady", rows: 300 });
  });
});

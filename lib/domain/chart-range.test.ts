import { expect, it } from "vitest";
import { drawnRange, readChartRange, SPANS, writeChartRange } from "./chart-range";

const BETWEEN = { from: "2026-11-14T03:02:00Z", to: "2026-11-14T03:41:07Z" };

it("an address is read and written as the same range", () => {
  for (const params of [BETWEEN, { range: "15m" }, { range: "30d" }, {}])
    expect(writeChartRange(readChartRange(params))).toEqual(params);
});

it("what is no range is the last hour", () => {
  for (const odd of [
    { range: "2h" },
    { range: "constructor" },
    { from: BETWEEN.to, to: BETWEEN.from },
    { from: BETWEEN.from },
    { from: "2026-13-45T99:99Z", to: BETWEEN.to },
  ])
    expect(readChartRange(odd)).toEqual({ kind: "last", span: "1h" });
});

it("nothing is longer than 30 days, and nothing that is drawn is shorter than a minute", () => {
  const long = readChartRange({ from: "2020-01-01T00:00Z", to: "2026-01-01T00:00Z" });
  expect(long).toMatchObject({ kind: "between", toMs: Date.UTC(2026, 0, 1) });
  expect(long.kind === "between" && long.toMs - long.fromMs).toBe(SPANS["30d"]);
  expect(drawnRange(90_900, 85_100)).toEqual({ kind: "between", fromMs: 85_000, toMs: 145_000 });
});

import { afterAll, expect, test } from "vitest";
import { timeTicks, timeTickText } from "@/components/charts/scale";
import { binsOf } from "@/lib/domain/bins";
import { drawnRange, readChartRange, SPANS, writeChartRange } from "@/lib/domain/chart-range";
import { readDied, writeDied } from "@/lib/domain/died-range";
import { isoUtc, localClock, utcClock, utcFull, utcStamp } from "@/lib/domain/time";
import { NEW_YORK_CHANGES, ZONES } from "@/scripts/testing/zones";

const before = process.env.TZ;
afterAll(() => {
  if (before === undefined) delete process.env.TZ;
  else process.env.TZ = before;
});

/** Everything that is written of a stretch of time on charts, brush and addresses, by a process in this zone. */
function writtenIn(zone: string, fromMs: number, toMs: number) {
  process.env.TZ = zone;
  const ticks = timeTicks(fromMs, toMs);
  const bins = binsOf(fromMs, toMs);
  const edges = Array.from({ length: bins.count + 1 }, (_, bin) => bins.fromMs + bin * bins.widthMs);
  return {
    offset: new Date(fromMs).getTimezoneOffset(),
    written: {
      ticks,
      marks: ticks.map((tick) => timeTickText(tick, toMs - fromMs)),
      edges,
      labels: edges.map((edge) => [utcClock(edge), utcFull(edge), utcStamp(edge, toMs), isoUtc(edge)]),
      died: writeDied(fromMs, toMs),
      charts: writeChartRange(drawnRange(fromMs, toMs)),
    },
  };
}

test.each(NEW_YORK_CHANGES)(
  "over the hour at which clocks go $way, what is drawn and written is of one clock in every zone",
  ({ way, atMs }) => {
    for (const lengthMs of Object.values(SPANS)) {
      const [fromMs, toMs] = [atMs - lengthMs / 2, atMs + lengthMs / 2];
      const [utc, ...others] = ZONES.map((zone) => writtenIn(zone, fromMs, toMs));
      // The process is in that zone.
      expect([utc, ...others].map((each) => each?.offset)).toEqual([0, -345, way === "forward" ? 300 : 240]);
      for (const { written } of others) expect(written).toEqual(utc?.written);
      const { edges = [], labels = [], died = "", charts = {} } = utc?.written ?? {};
      // None lost, doubled or of another width.
      expect(new Set(edges.slice(1).map((edge, bin) => edge - (edges[bin] ?? 0))).size).toBe(1);
      expect(new Set(labels.map(([, full]) => full)).size).toBe(edges.length);
      expect(labels.every(([, , , iso], index) => Date.parse(iso ?? "") === edges[index])).toBe(true);
      for (const zone of ZONES) {
        process.env.TZ = zone;
        expect(readDied(died)).toEqual({ kind: "between", fromMs, toMs });
        expect(readChartRange(charts)).toEqual({ kind: "between", fromMs, toMs });
      }
    }
  },
);

test.each(NEW_YORK_CHANGES)(
  "a window in an address without a zone is UTC also where its hour is skipped or comes twice ($way)",
  ({ atMs }) => {
    const [from, to] = [atMs - 5 * 3_600_000, atMs - 3 * 3_600_000].map((ms) =>
      new Date(ms).toISOString().slice(0, 16),
    );
    for (const zone of ZONES) {
      process.env.TZ = zone;
      expect(readDied(`${from}..${to}`)).toEqual({
        kind: "between",
        fromMs: atMs - 5 * 3_600_000,
        toMs: atMs - 3 * 3_600_000,
      });
    }
  },
);

test("the reader's own clock, in the tip alone, is the one of that instant: before and after it was put forward or back", () => {
  const told = NEW_YORK_CHANGES.flatMap(({ atMs }) =>
    [atMs - 1_000, atMs].map((ms) => localClock(ms, "America/New_York")),
  );
  expect(told).toEqual([
    "01:59:59 America/New_York (UTC-5)",
    "03:00:00 America/New_York (UTC-4)",
    "01:59:59 America/New_York (UTC-4)",
    "01:00:00 America/New_York (UTC-5)",
  ]);
  expect(localClock(Date.UTC(2025, 10, 2, 6), "Asia/Kathmandu")).toBe("11:45:00 Asia/Kathmandu (UTC+5:45)");
});

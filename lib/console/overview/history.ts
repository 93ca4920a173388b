import type { Pool } from "pg";
import { SLOT_MS } from "@/lib/console/samples/next-slot";
import { isFine, readCounts, readLevels } from "@/lib/console/samples/read-bins";
import { readDeaths } from "@/lib/console/samples/read-deaths";
import { readMarks } from "@/lib/console/samples/read-marks";
import { queues } from "@/lib/console/sources";
import { one } from "@/lib/db/pg";
import { pools } from "@/lib/db/pools";
import { binsOf } from "@/lib/domain/bins";
import { type ChartRange, SPANS } from "@/lib/domain/chart-range";
import type { History, HistoryBins } from "@/lib/domain/history";
import type { QueueName, Reading } from "@/lib/domain/queue";
import { failedReading } from "@/lib/queues/failed-reading";
import { columnsOf } from "./history-columns";
import { NOW, NowRow } from "./recent-sql";
import { sharedReading } from "./shared-reading";

const PATIENCE_MS = 2_500;
const MINUTE = 60_000;

/** The charts of a range as the keeper sampled it; one reading of each range for all who look. Never throws. */
export async function readHistory(range: ChartRange): Promise<Reading<History>> {
  const { reading } = await sharedReading(`history?${nameOf(range)}`, {
    freshMs: freshMs(range),
    patienceMs: PATIENCE_MS,
    who: "Postgres",
    read: () =>
      historyOf(
        pools().own,
        queues().map(({ name }) => name),
        range,
      ),
  });
  return reading;
}

const nameOf = (range: ChartRange) => (range.kind === "last" ? range.span : `${range.fromMs}-${range.toMs}`);

/** The keeper samples every 5 s; a bin of minutes changes no sooner than a tenth of its width. */
function freshMs(range: ChartRange): number {
  const lengthMs = range.kind === "last" ? SPANS[range.span] : range.toMs - range.fromMs;
  return Math.min(60_000, Math.max(4_900, lengthMs / 1_800));
}

/** The samples of these queues, the archive's deaths and what was done, from the console's own schema. */
export async function historyOf(own: Pool, names: QueueName[], range: ChartRange): Promise<Reading<History>> {
  try {
    const nowMs = (await one(own, NOW, NowRow)).at_ms;
    const toMs = range.kind === "last" ? nowMs : range.toMs;
    const fromMs = range.kind === "last" ? nowMs - SPANS[range.span] : range.fromMs;
    const { levels, counts, fine } = binsFor(fromMs, toMs, nowMs);
    const [levelRows, countRows, deaths, marks] = await Promise.all([
      readLevels(own, names, levels, fine),
      readCounts(own, names, counts),
      readDeaths(own, counts),
      readMarks(own, levels.fromMs, toMs),
    ]);
    const history = names.map((name) => columnsOf(name, { levels, counts, levelRows, countRows }));
    return { kind: "read", value: { fromMs: levels.fromMs, toMs, levels, counts, queues: history, ...deaths, marks } };
  } catch (error) {
    return failedReading(error, "Postgres");
  }
}

/** Bins for readings and for counts, from one instant on: what is counted by the minute is never cut finer. */
export function binsFor(fromMs: number, toMs: number, nowMs: number) {
  const wished = binsOf(fromMs, toMs);
  // A bin that is narrower than what is read would be a gap more often than not.
  const widthMs = Math.max(wished.widthMs, SLOT_MS);
  const fine = isFine(widthMs, fromMs, nowMs);
  // Both begin and end together, so that plots under each other share their axis.
  const counts = wished.widthMs >= MINUTE ? wished : minutesOf(wished.fromMs, wished.toMs);
  const narrow = { ...counts, widthMs, count: (counts.count * counts.widthMs) / widthMs };
  return { levels: plain(fine ? narrow : counts), counts: plain(counts), fine };
}

function minutesOf(fromMs: number, toMs: number): HistoryBins {
  const first = Math.floor(fromMs / MINUTE) * MINUTE;
  return { fromMs: first, widthMs: MINUTE, count: Math.ceil((toMs - first) / MINUTE) };
}

const plain = ({ fromMs, widthMs, count }: HistoryBins): HistoryBins => ({ fromMs, widthMs, count });

import type { CountRow, LevelRow } from "@/lib/console/samples/read-bins";
import type { Column, HistoryBins, QueueHistory } from "@/lib/domain/history";
import type { QueueName } from "@/lib/domain/queue";

type Rows = { levels: HistoryBins; counts: HistoryBins; levelRows: LevelRow[]; countRows: CountRow[] };

/** The rows of one queue as columns: a bin without a row is a gap, a column that was never told is none. */
export function columnsOf(name: QueueName, { levels, counts, levelRows, countRows }: Rows): QueueHistory {
  const level = new Map(levelRows.filter(({ queue }) => queue === name).map((row) => [row.bin, row]));
  const count = new Map(countRows.filter(({ queue }) => queue === name).map((row) => [row.bin, row]));
  const ages = [0, 1, 2, 3, 4].map((age) => columnOf(levels, (bin) => level.get(bin)?.ages?.[age]));
  return {
    name,
    oldest: told(columnOf(levels, (bin) => level.get(bin)?.oldest)),
    waiting: told(columnOf(levels, (bin) => level.get(bin)?.waiting)),
    ages: ages.every((column) => told(column) === null) ? null : ages,
    done: told(columnOf(counts, (bin) => count.get(bin)?.done)),
    failed: told(columnOf(counts, (bin) => count.get(bin)?.failed)),
    died: told(columnOf(counts, (bin) => count.get(bin)?.died)),
  };
}

const columnOf = ({ count }: HistoryBins, cellOf: (bin: number) => number | null | undefined): Column =>
  Array.from({ length: count }, (_, bin) => cellOf(bin) ?? null);

const told = (column: Column): Column | null => (column.some((value) => value !== null) ? column : null);

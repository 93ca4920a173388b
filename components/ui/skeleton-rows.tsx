import { cx } from "@/components/ui/cx";

/** Widths that look like words: short, id, middling, sentence. */
const WIDTHS = ["w2", "w3", "w1", "w4"] as const;
const ROWS = [0, 1, 2, 3, 4, 5, 6, 7];

/** The rows of a table that is being read: same height, nothing for the first 150 ms, so that nothing jumps or flickers. */
export function SkeletonRows({ columns, label }: { columns: readonly string[]; label: string }) {
  return (
    <table className="t skrows" aria-busy="true" aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {ROWS.map((row) => (
          <tr key={row}>
            {columns.map((column, index) => (
              <td key={column}>
                <span className={cx("sk", WIDTHS[(index + row) % WIDTHS.length])} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/* biome-ignore-all lint/a11y/noRedundantRoles: rows stack on a phone by changing `display`, and a browser then forgets that they are a table. */
import type { ReactNode, TdHTMLAttributes, ThHTMLAttributes } from "react";
import { cx } from "@/components/ui/cx";

type TableProps = {
  label?: string;
  labelledBy?: string;
  /** Values beside each other in a stacked row. */
  columns?: 2 | 3 | 4 | 5;
  /** The last good data of a store that does not answer now. */
  dim?: boolean;
  /** Reaches the edges of its padded section. */
  bleed?: boolean;
  head: ReactNode;
  children: ReactNode;
};

/** A table that stacks up to 720 px. `head` is `Th`s, `children` is `Row`s. */
export function Table({ label, labelledBy, columns = 4, dim, bleed, head, children }: TableProps) {
  return (
    <table
      role="table"
      aria-label={label}
      aria-labelledby={labelledBy}
      className={cx("t stack", columns !== 4 && `cols-${columns}`, dim && "dim", bleed && "bleed")}
    >
      <thead role="rowgroup">
        <tr role="row">{head}</tr>
      </thead>
      <tbody role="rowgroup">{children}</tbody>
    </table>
  );
}

type RowProps = { listed?: boolean; gone?: boolean; dim?: boolean; className?: string; children: ReactNode };

/**
 * A row. `listed`: `j` and `k` stop at it. `gone`: it left the filter and waits for the next reading. `dim`: its store
 * does not answer, these are its last values.
 */
export function Row({ listed, gone, dim, className, children }: RowProps) {
  return (
    <tr
      role="row"
      data-row={listed ? "" : undefined}
      className={cx(className, gone && "gone", dim && "dim") || undefined}
    >
      {children}
    </tr>
  );
}

/** A column's head. `end` for numbers and times. */
export function Th({ end, className, ...rest }: ThHTMLAttributes<HTMLTableCellElement> & { end?: boolean }) {
  return <th {...rest} role="columnheader" scope="col" className={cx(end && "r", className)} />;
}

/** The cell that names its row. */
export function RowTh({ className, ...rest }: ThHTMLAttributes<HTMLTableCellElement>) {
  return <th {...rest} role="rowheader" scope="row" className={className} />;
}

/**
 * A cell. `name` is its column's word, shown above the value in a stacked row. Places in a stacked row, by `className`:
 * `o1` first, `o2` top right, `olast` last, `full` a line of its own, `w2` two columns, `hide-s` not on a
 * phone.
 */
export function Td({
  name,
  end,
  className,
  ...rest
}: TdHTMLAttributes<HTMLTableCellElement> & { name?: string; end?: boolean }) {
  return <td {...rest} role="cell" data-l={name} className={cx(end && "r", className)} />;
}

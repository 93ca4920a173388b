import Link from "next/link";
import { cx } from "@/components/ui/cx";
import { Icon } from "@/components/ui/icon";
import { Th } from "@/components/ui/table";

type Props = {
  label: string;
  /** Where a press leads: the other direction of the sorted column, the default one of another. */
  href: string;
  /** The present order of this column; absent when the list is sorted by another. */
  direction?: "ascending" | "descending";
  end?: boolean;
  className?: string;
};

/** A column's head that sorts by it. The order is in the address. */
export function SortTh({ label, href, direction, end, className }: Props) {
  return (
    <Th end={end} className={cx(className)} aria-sort={direction ?? "none"}>
      <Link href={href} prefetch={false} scroll={false} className={direction ? undefined : "unsorted"}>
        {label}
        {direction ? <Icon name={direction === "ascending" ? "arrow-up" : "arrow-down"} /> : null}
      </Link>
    </Th>
  );
}

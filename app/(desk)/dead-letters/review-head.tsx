import type { ReactNode } from "react";
import { cappedText } from "@/components/ui/number-link";
import type { CappedCount } from "@/lib/queues/queue";

type Props = {
  /** Named where the filter is of one queue. */
  queue: string | undefined;
  /** Null: how many could not be told. */
  count: CappedCount | null;
  /** The page's buttons. */
  children?: ReactNode;
};

/** How many letters there are, as the page writes it. */
export const letterCount = (count: CappedCount | null): string | null => count && cappedText(count);

/** The title, and how many letters match; a count that stopped at its cap says so. */
export function ReviewHead({ queue, count, children }: Props) {
  return (
    <div className="phead">
      <h1>Dead letters</h1>
      <span className="muted">
        {count === null ? "How many match could not be told" : <b>{letterCount(count)}</b>}
        {count === null ? "" : count.count === 1 ? " matches" : " match"}
        {queue ? ` in ${queue}` : ""}
        {count?.capped ? ", counted no further" : ""}
      </span>
      {children ? <div className="end">{children}</div> : null}
    </div>
  );
}

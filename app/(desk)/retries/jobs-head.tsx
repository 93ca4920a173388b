import { countText } from "@/components/ui/number-link";
import type { RetryState } from "@/lib/domain/retry";

type Props = {
  queue: string;
  counts: Record<RetryState, number> | null;
  states: readonly RetryState[];
};

/** How many rows the list has; null: how many could not be told. */
export function jobsTotal({ counts, states }: Pick<Props, "counts" | "states">): number | null {
  if (counts === null) return null;
  return Object.entries(counts).reduce(
    (sum, [state, count]) => (states.length === 0 || states.includes(state as RetryState) ? sum + count : sum),
    0,
  );
}

/** The title, and how many rows there are. */
export function JobsHead({ queue, counts, states }: Props) {
  const total = jobsTotal({ counts, states });
  return (
    <div className="phead">
      <h1>Retries and leases</h1>
      <span className="muted">
        {total === null ? "How many rows there are could not be told" : <b>{countText(total)}</b>}
        {total === null ? "" : total === 1 ? " row" : " rows"} in {queue}, ages on the database clock
      </span>
    </div>
  );
}

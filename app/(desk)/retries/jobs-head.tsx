import { cappedText } from "@/components/ui/number-link";
import { sumStates } from "@/lib/console/lists/read-jobs";
import type { RetryState } from "@/lib/domain/retry";
import type { CappedCount, JobCounts } from "@/lib/queues/queue";

type Props = {
  queue: string;
  counts: JobCounts | null;
  states: readonly RetryState[];
};

/** How many rows the list has; null: how many could not be told. */
export function jobsTotal({ counts, states }: Pick<Props, "counts" | "states">): CappedCount | null {
  return counts && sumStates(counts, states.length > 0 ? states : (Object.keys(counts) as RetryState[]));
}

/** The title, and how many rows there are. */
export function JobsHead({ queue, counts, states }: Props) {
  const total = jobsTotal({ counts, states });
  return (
    <div className="phead">
      <h1>Retries and leases</h1>
      <span className="muted">
        {total === null ? "How many rows there are could not be told" : <b>{cappedText(total)}</b>}
        {total === null ? "" : total.count === 1 ? " row" : " rows"} in {queue}, ages on the database clock
      </span>
    </div>
  );
}

"use client";

import { useWorkers } from "@/app/(desk)/retries/use-workers";
import { WorkerLane } from "@/app/(desk)/retries/worker-lane";
import { useClockMode } from "@/components/ui/db-clock";
import { ErrorPanel } from "@/components/ui/error-panel";
import type { Reading } from "@/lib/domain/queue";
import type { Workers } from "@/lib/domain/worker";
import { sayLostLeases } from "@/lib/domain/worker-words";

type Props = { queue: string; initial: Reading<Workers>; leaseMs: number };

/** Who holds the leases, who settles, and who lost some; kept current by itself. */
export function WorkersAside({ queue, initial, leaseMs }: Props) {
  const { workers: view, problem } = useWorkers(queue, initial);
  const stale = useClockMode() === "stale" || (view !== null && problem !== null);
  const held = view?.workers.reduce((sum, { leases }) => sum + leases.live + leases.expired, 0) ?? null;
  return (
    <aside id="workers" aria-labelledby="workers-h" className={stale ? "dim" : undefined}>
      <div className="sechead">
        <h2 id="workers-h">Leases by worker</h2>
        <span className="end sub">{held === null ? null : `${held.toLocaleString("en-US")} held`}</span>
      </div>
      {view === null ? (
        <ErrorPanel title="The workers could not be read">{problem} The list is not affected.</ErrorPanel>
      ) : (
        <>
          {problem ? <p className="lostline">These are the last values: {problem}</p> : null}
          <p className="lostline">{sayLostLeases(view)}</p>
          {view.workers.map((worker) => (
            <WorkerLane key={worker.name} queue={queue} worker={worker} atMs={view.atMs} leaseMs={leaseMs} />
          ))}
          {view.workers.length === 0 ? (
            <p className="lostline">Nobody holds a lease, and nothing was settled.</p>
          ) : null}
          {view.more ? <p className="lostline">There are more workers. These have the most.</p> : null}
        </>
      )}
    </aside>
  );
}

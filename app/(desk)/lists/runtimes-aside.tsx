"use client";

import { RuntimeLane } from "@/app/(desk)/lists/runtime-lane";
import { StoreSection } from "@/app/(desk)/lists/store-section";
import { useListState } from "@/app/(desk)/lists/use-list-state";
import { useClockMode } from "@/components/ui/db-clock";
import { ErrorPanel } from "@/components/ui/error-panel";
import type { ListState } from "@/lib/domain/list-state";
import { UNTOLD } from "@/lib/domain/list-words";
import type { Reading } from "@/lib/domain/queue";

/** Who holds what, and how Redis itself is; kept current by itself. */
export function RuntimesAside({ queue, initial }: { queue: string; initial: Reading<ListState> }) {
  const { state, problem } = useListState(queue, initial);
  const stale = useClockMode() === "stale" || (state !== null && problem !== null);
  const held = state?.runtimes.reduce((sum, runtime) => sum + (runtime.held ?? 0), 0) ?? null;
  return (
    <aside id="runtimes" aria-labelledby="runtimes-h" className={stale ? "dim" : undefined}>
      <div className="sechead">
        <h2 id="runtimes-h">Who holds what</h2>
        <span className="end sub">{held === null ? null : `${held.toLocaleString("en-US")} held`}</span>
      </div>
      {state === null ? (
        <ErrorPanel title="The runtimes could not be read">{problem} The list is not affected.</ErrorPanel>
      ) : (
        <>
          <p className="lostline">{UNTOLD}</p>
          {state.runtimes.map((runtime) => (
            <RuntimeLane key={runtime.name} queue={queue} runtime={runtime} atMs={state.atMs} />
          ))}
          {state.runtimes.length === 0 ? <p className="lostline">No runtime has sent a heartbeat.</p> : null}
          {state.moreRuntimes ? (
            <p className="lostline">There are more runtimes. These are the first by name.</p>
          ) : null}
          {state.counts.plainProcessing === 0 ? null : (
            <RuntimeLane
              queue={queue}
              atMs={state.atMs}
              runtime={{ name: "", beatMs: null, held: state.counts.plainProcessing, entries: state.plain }}
            />
          )}
          <StoreSection store={state.store} atMs={state.atMs} />
        </>
      )}
    </aside>
  );
}

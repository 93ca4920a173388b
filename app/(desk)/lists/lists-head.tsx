"use client";

import { useListState } from "@/app/(desk)/lists/use-list-state";
import type { ListState } from "@/lib/domain/list-state";
import { sayWaiting } from "@/lib/domain/list-words";
import type { Reading } from "@/lib/domain/queue";

/** The title, and what waits now; kept current by itself. */
export function ListsHead({ queue, initial }: { queue: string; initial: Reading<ListState> }) {
  const { state, problem } = useListState(queue, initial);
  return (
    <>
      <div className="phead">
        <h1>Redis lists</h1>
        <span className="muted">{state === null ? queue : `${queue}: ${sayWaiting(state)}`}</span>
      </div>
      {problem ? (
        <p className="underhead muted" role="status">
          {state === null ? problem : `These are the last values: ${problem}`}
        </p>
      ) : null}
    </>
  );
}

import type { Redis } from "ioredis";
import type { StoredState } from "@/lib/queues/queue";
import { type Outcome, type Requeued, readRequeued, readStoredOutcomes } from "./operations";
import { readPresent } from "./present";

/**
 * What some letters are now, by letter id. A letter leaves the list when it is requeued: what the engine keeps of that
 * tells the rest. Of which it cannot be told just now whether it is in the list, none is named.
 */
export async function readStoredStates(
  redis: Redis,
  letters: readonly { letterId: string }[],
): Promise<Map<string, StoredState>> {
  const ids = letters.map(({ letterId }) => letterId);
  if (ids.length === 0) return new Map();
  // The list first: who put a letter back is written as it leaves, so what is seen gone from it is told of already.
  const present = await readPresent(redis);
  const [requeued, outcomes] = await Promise.all([readRequeued(redis, ids), readStoredOutcomes(redis, ids)]);
  return new Map(
    ids.flatMap((id, n) => {
      const state = stateOf(present?.has(id) ?? null, requeued[n] ?? null, outcomes[n] ?? null);
      return state ? [[id, state] as const] : [];
    }),
  );
}

function stateOf(present: boolean | null, requeued: Requeued | null, outcome: Outcome | null): StoredState | null {
  if (present === true) return { kind: "dead" };
  if (requeued !== null) {
    // What was put back and is no entry has no id by which anything could tell of it.
    const untold = requeued.entryId === null;
    const unproved = untold ? ({ outcome: "left_unproved", atMs: null, nextLetterId: null } as const) : null;
    return { kind: "requeued", atMs: requeued.atMs, jobId: requeued.entryId, outcome: outcome ?? unproved };
  }
  if (outcome !== null) return { kind: "gone", outcome };
  return present === false ? { kind: "gone", outcome: null } : null;
}

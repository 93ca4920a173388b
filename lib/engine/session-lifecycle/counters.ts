import { Counter, type Registry } from "prom-client";

/** What this process has counted since its start, beside what the store keeps by the minute. */
export type JournalCounters = ReturnType<typeof createJournalCounters>;

/** Counters by their names in `GET /v1/internal/metrics`. */
export function createJournalCounters(registry: Registry) {
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter<L>({ name: `backstop_session_lifecycle_${name}_total`, help, labelNames, registers: [registry] });
  return {
    enqueueErrors: counter("enqueue_errors", "Closed streams whose cleanup could not be recorded", ["trouble"]),
    lostWakes: counter("lost_wakes", "Cleanups recorded whose worker could not be told", ["reason"]),
    skippedReconnected: counter("skipped_reconnected", "Cleanups skipped since the session was active again"),
    settles: counter("settles", "Settled entries by ending: done, superseded, failed or dead", ["ending"]),
    staleSettles: counter("stale_settles", "Settles that wrote nothing, since the entry was not ours any more"),
    returned: counter("returned", "Entries brought back from workers that were gone", ["ending"]),
  };
}

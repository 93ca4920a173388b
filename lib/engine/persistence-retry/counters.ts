import { Counter, Registry } from "prom-client";

/** What this process has counted since its start, beside what the store keeps by the minute. */
export type Counters = ReturnType<typeof createCounters>;

/** Counters of one process, by their names in `GET /v1/internal/metrics`. */
export function createCounters() {
  const registry = new Registry();
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter<L>({ name: `backstop_persistence_retry_${name}_total`, help, labelNames, registers: [registry] });
  return {
    registry,
    claims: counter("claims", "Claims that took at least one row", ["by"]),
    claimedRows: counter("claimed_rows", "Rows taken by claims", ["by"]),
    settles: counter("settles", "Settled rows by ending: done, failed, dead or poison", ["kind", "ending"]),
    staleSettles: counter("stale_settles", "Settles that wrote nothing, since the row was not ours any more", ["kind"]),
    lostLeases: counter("lost_leases", "Leases that had run out when they were found", ["kind"]),
    durableOnly: counter("durable_only", "Writes queued durably whose worker could not be told", ["reason"]),
  };
}

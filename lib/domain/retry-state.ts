import type { RetryJob, RetryState } from "./retry";

/**
 * What a job is doing at an instant of the database clock, as far as its row tells: a lease runs out and a time comes
 * without anybody writing. The same judgement as the queue's own statement.
 */
export function stateAt({ lease, nextAttemptMs, attempts }: RetryJob, nowMs: number): RetryState {
  if (lease) return lease.untilMs > nowMs ? "leased" : "expired";
  if (nextAttemptMs <= nowMs) return "due";
  return attempts > 0 ? "retrying" : "scheduled";
}

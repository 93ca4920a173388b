import type { RetrySettings } from "@/lib/config-engine";

/** The usual settings with backoffs that a test need not wait for. */
export const retrySettings = (over: Partial<RetrySettings> = {}): RetrySettings => ({
  leaseMs: 30_000,
  pollMs: 50,
  batchMax: 128,
  attemptsMax: 3,
  backoffMs: 1,
  backoffCapMs: 1,
  transactionTimeoutMs: 8_000,
  leaseMarginMs: 2_000,
  ...over,
});

/** The longest that a requeueing transaction may take. The desk relies on it: after that, "not found" is final. */
export const REQUEUE_TIMEOUT_MS = 8_000;

/** Failures of one cause within a window, on one store's clock, ms. */
export type Failing = {
  /** Attempts, not writes: one write may fail several times. */
  failures: number;
  firstMs: number;
  lastMs: number;
  /** When a write that had failed with it went through last; null: none was seen. */
  healedMs: number | null;
};

/** No cause that fails more often than this is called gone before it was quiet for so long. */
const QUIET_MIN_MS = 10_000;
/** Nothing is known of how often a single failure would come again. */
const QUIET_AFTER_ONE_MS = 60_000;
/** Quiet for so many times the usual gap. */
const GAPS = 3;
/** Once a write that had failed with it went through. Not at once: of a cause that comes and goes one does now and then. */
const QUIET_HEALED_MS = 3_000;

/** Whether a cause is to be taken for still there: it calms down by itself soon after a fix. */
export function stillFails({ failures, firstMs, lastMs, healedMs }: Failing, nowMs: number): boolean {
  const quietMs = nowMs - lastMs;
  if (healedMs !== null && healedMs > lastMs && quietMs >= QUIET_HEALED_MS) return false;
  if (failures < 2) return quietMs < QUIET_AFTER_ONE_MS;
  return quietMs < Math.max(QUIET_MIN_MS, (GAPS * (lastMs - firstMs)) / (failures - 1));
}

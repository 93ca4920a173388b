/** One reading is kept of each stretch so long of the store's clock (the index `samples_slot`), ms. */
export const SLOT_MS = 5_000;

/**
 * How long after a reading at `atMs` of the store's clock the next one is due, ms: in the middle of the next slot. What
 * waits for 5 s after each reading is late by what the reading took, leaves a slot out every few minutes, and the chart
 * would show a gap that was none.
 */
export function untilNextSlot(atMs: number): number {
  const into = ((atMs % SLOT_MS) + SLOT_MS) % SLOT_MS;
  return SLOT_MS - into + SLOT_MS / 2;
}

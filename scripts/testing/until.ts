import { setTimeout as sleep } from "node:timers/promises";

/** Waits until something is so; throws after `timeoutMs` (20 s), so that a test says what it waited for. */
export async function until(isSo: () => Promise<boolean>, timeoutMs = 20_000): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`not so within ${timeoutMs} ms: ${isSo}`);
    await sleep(30);
  }
}

/** One press of Ctrl-C under npm arrives twice: from the terminal, and forwarded by npm. */
const SAME_PRESS_MS = 800;

/**
 * Turns the signals that ask for an end into two: `asked` at the first, `hard` at a second one that is not the same
 * press of a key.
 */
export function stopSignals(): { asked: AbortSignal; hard: AbortSignal } {
  const [asked, hard] = [new AbortController(), new AbortController()];
  let firstAt = 0;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (!asked.signal.aborted) {
        firstAt = Date.now();
        asked.abort();
      } else if (Date.now() - firstAt > SAME_PRESS_MS) hard.abort();
    });
  }
  return { asked: asked.signal, hard: hard.signal };
}

/** What the page last heard from the database: its clock, and the browser's stopwatch when that arrived. */
export type ClockReading = { atMs: number; receivedAtPerf: number };

/** `stale`: the database stopped answering; ages stop where they were. `paused`: the reader asked for stillness. */
export type ClockMode = "live" | "paused" | "stale" | "unread";

/** The database clock as the page runs it between two readings. */
export type ClockStore = ReturnType<typeof createClockStore>;

/**
 * Ticks once a second of the *database's* clock. The browser's own clock is never asked what time it is: only its
 * stopwatch (`performance.now`) counts what has passed since the last reading.
 */
export function createClockStore(first: ClockReading | null) {
  let reading = first;
  let frozenMs: number | null = null;
  let mode: ClockMode = first ? "live" : "unread";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();

  const running = () => (reading ? reading.atMs + (performance.now() - reading.receivedAtPerf) : null);
  const now = () => frozenMs ?? running();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  const tick = () => {
    clearTimeout(timer);
    tell();
    // To the next full second of the database's clock, so that texts change when the clock does.
    timer = setTimeout(tick, 1_000 - ((running() ?? 0) % 1_000) + 5);
  };

  return {
    subscribe(listener: () => void) {
      listeners.add(listener);
      if (listeners.size === 1) tick();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) clearTimeout(timer);
      };
    },
    /** Now on the database clock, in ms; null before the first reading. Stands still while paused or stale. */
    now,
    mode: () => mode,
    /** The clock of the last reading; null before the first. */
    lastMs: () => reading?.atMs ?? null,
    /** Ms since the last reading, by the stopwatch; what "42 s old" says. */
    ageMs: () => (reading ? Math.max(0, performance.now() - reading.receivedAtPerf) : 0),
    /** A new reading arrived: the clock is live again unless the reader paused it. */
    report(next: ClockReading) {
      if (reading && next.receivedAtPerf < reading.receivedAtPerf) return;
      reading = next;
      if (mode === "paused") return;
      mode = "live";
      frozenMs = null;
      tell();
    },
    /** The database did not answer: keep the last reading and say how old it is. */
    fail() {
      if (mode === "paused" || !reading) return;
      mode = "stale";
      frozenMs = reading.atMs;
      tell();
    },
    pause(paused: boolean) {
      if (mode === "stale" || mode === "unread") return;
      frozenMs = paused ? running() : null;
      mode = paused ? "paused" : "live";
      tell();
    },
  };
}

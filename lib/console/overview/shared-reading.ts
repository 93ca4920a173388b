import { setTimeout as sleep } from "node:timers/promises";
import type { Reading } from "@/lib/domain/queue";
import { type Flight, flightOf, fly } from "./flight";

export { forgetReading } from "./flight";

/**
 * A reading, and how old it is by the stopwatch; when it could not be taken now, what was read last and how old that
 * is. Ages in ms.
 */
export type Shared<T> = { reading: Reading<T>; ageMs: number; last: { value: T; ageMs: number } | null };

type Options<T> = {
  /** A reading this young is given to the next who asks. */
  freshMs: number;
  /** How long a reading may take before its source counts as silent; who asks later waits for the rest of that only. */
  patienceMs: number;
  /** Who it is that does not answer then. */
  who: string;
  read(): Promise<Reading<T>>;
};

/**
 * How long a reading that tabs poll every 2 s is given to the next who asks, ms. Hardly less than that: else many tabs,
 * whose polls lie all over those 2 s, would have the store read more often than one does.
 */
export const POLLED_MS = 1_980;

/** A store that is slow is asked less: reading it takes no more than a fifth of the time. */
const REST = 4;
const REST_MAX_MS = 30_000;

/**
 * One source, read once per `freshMs` however many tabs ask, and never twice at the same time: a source that hangs is
 * not asked again before it has answered or failed, and whoever asks meanwhile learns that it is silent.
 */
export async function sharedReading<T>(name: string, options: Options<T>): Promise<Shared<T>> {
  const flight = flightOf<T>(name);
  const { latest } = flight;
  if (latest && !flight.running) {
    const ageMs = performance.now() - latest.atPerf;
    // One that failed is no measure of the store, and its coming back must show at once.
    const restMs = latest.reading.kind === "read" ? Math.min(REST_MAX_MS, latest.tookMs * REST) : 0;
    if (ageMs < Math.max(options.freshMs, restMs))
      return { reading: latest.reading, ageMs, last: lastOf(flight, latest) };
  }
  const { reading: running, sincePerf } = fly(flight, options.read);
  const silent = (): Reading<T> => ({
    kind: "failed",
    code: "no_answer",
    sentence: `${options.who} has not answered for ${Math.round((performance.now() - sincePerf) / 100) / 10} s.`,
  });
  const timer = new AbortController();
  const leftMs = Math.max(0, options.patienceMs - (performance.now() - sincePerf));
  const reading = await Promise.race([
    running,
    sleep(leftMs, undefined, { signal: timer.signal }).then(silent, silent),
  ]);
  timer.abort();
  return { reading, ageMs: 0, last: lastOf(flight, { reading }) };
}

function lastOf<T>({ good }: Flight<T>, { reading }: { reading: Reading<T> }): Shared<T>["last"] {
  if (reading.kind !== "failed" || good === null) return null;
  return { value: good.value, ageMs: performance.now() - good.atPerf };
}

import { setTimeout as sleep } from "node:timers/promises";
import type { Reading } from "@/lib/domain/queue";

/** A reading, and what it was before, with its age, when it could not be taken now. */
export type Shared<T> = { reading: Reading<T>; last: { value: T; ageMs: number } | null };

type Options<T> = {
  /** A reading this young is given to the next who asks. */
  freshMs: number;
  /** How long a reading may take before its source counts as silent; who asks later waits for the rest of that only. */
  patienceMs: number;
  /** Who it is that does not answer then. */
  who: string;
  read(): Promise<Reading<T>>;
};

type Flight = {
  running: { reading: Promise<Reading<unknown>>; sincePerf: number } | null;
  latest: { reading: Reading<unknown>; atPerf: number } | null;
  good: { value: unknown; atPerf: number } | null;
};

// On globalThis, since a bundler may load this module more than once in one process.
const holder = globalThis as typeof globalThis & { backstopFlights?: Map<string, Flight> };

function flightOf(name: string): Flight {
  holder.backstopFlights ??= new Map();
  const known = holder.backstopFlights.get(name);
  if (known) return known;
  const flight: Flight = { running: null, latest: null, good: null };
  holder.backstopFlights.set(name, flight);
  return flight;
}

async function fly(flight: Flight, read: () => Promise<Reading<unknown>>): Promise<Reading<unknown>> {
  const reading = await take(read);
  const atPerf = performance.now();
  flight.latest = { reading, atPerf };
  if (reading.kind === "read") flight.good = { value: reading.value, atPerf };
  flight.running = null;
  return reading;
}

/** What throws is a bug or a wrong setting: it is logged, and is no reason for the rest of the page to be missing. */
async function take(read: () => Promise<Reading<unknown>>): Promise<Reading<unknown>> {
  try {
    return await read();
  } catch (error) {
    console.error(JSON.stringify({ event: "reading_failed", error: String(error) }));
    return { kind: "failed", code: "internal", sentence: "Reading it broke on the server. Its log says why." };
  }
}

/**
 * One source, read once per `freshMs` however many tabs ask, and never twice at the same time: a source that hangs is
 * not asked again before it has answered or failed, and whoever asks meanwhile learns that it is silent.
 */
export async function sharedReading<T>(name: string, options: Options<T>): Promise<Shared<T>> {
  const flight = flightOf(name);
  const { latest } = flight;
  if (latest && !flight.running && performance.now() - latest.atPerf < options.freshMs) {
    return shared(flight, latest.reading as Reading<T>);
  }
  flight.running ??= { reading: fly(flight, options.read), sincePerf: performance.now() };
  const { reading: running, sincePerf } = flight.running;
  const silent: Reading<T> = {
    kind: "failed",
    code: "no_answer",
    sentence: `${options.who} has not answered for ${options.patienceMs / 1_000} s.`,
  };
  const timer = new AbortController();
  const leftMs = Math.max(0, options.patienceMs - (performance.now() - sincePerf));
  const reading = await Promise.race([
    running as Promise<Reading<T>>,
    sleep(leftMs, silent, { signal: timer.signal }).catch(() => silent),
  ]);
  timer.abort();
  return shared(flight, reading);
}

function shared<T>({ good }: Flight, reading: Reading<T>): Shared<T> {
  if (reading.kind !== "failed" || good === null) return { reading, last: null };
  return { reading, last: { value: good.value as T, ageMs: performance.now() - good.atPerf } };
}

/** The next who asks gets a new reading: something was just changed there. */
export function forgetReading(name: string): void {
  const flight = holder.backstopFlights?.get(name);
  if (flight) flight.latest = null;
}

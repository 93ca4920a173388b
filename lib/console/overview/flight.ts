import type { Reading } from "@/lib/domain/queue";
import { logLine } from "@/lib/queues/log-line";

/** One source's reading on its way, the one before it, and the last good one. Instants are of this process's stopwatch. */
export type Flight<T> = {
  running: { reading: Promise<Reading<T>>; sincePerf: number } | null;
  latest: { reading: Reading<T>; atPerf: number; tookMs: number } | null;
  good: { value: T; atPerf: number } | null;
};

// On globalThis, since a bundler may load this module more than once in one process.
const holder = globalThis as typeof globalThis & { backstopFlights?: Map<string, Flight<unknown>> };

/** The one flight of a source; whoever uses a name knows what its readings are. */
export function flightOf<T>(name: string): Flight<T> {
  holder.backstopFlights ??= new Map();
  const known = holder.backstopFlights.get(name) as Flight<T> | undefined;
  if (known) return known;
  forgetPassing(holder.backstopFlights);
  const flight: Flight<T> = { running: null, latest: null, good: null };
  holder.backstopFlights.set(name, flight as Flight<unknown>);
  return flight;
}

/** Readings of what somebody chose have names with a question mark; of those the oldest go, so that no choice fills the memory. */
const PASSING_MAX = 60;

function forgetPassing(flights: Map<string, Flight<unknown>>): void {
  const passing = [...flights].filter(([name, { running }]) => name.includes("?") && running === null);
  for (const [name] of passing.slice(0, Math.max(0, passing.length - PASSING_MAX + 1))) flights.delete(name);
}

/** The next who asks gets a new reading: something was just changed there. One that is on its way may be of before. */
export function forgetReading(name: string): void {
  const flight = holder.backstopFlights?.get(name);
  if (flight) holder.backstopFlights?.set(name, { running: null, latest: null, good: flight.good });
}

/** Joins the reading that is on its way, or starts one. It never rejects. */
export function fly<T>(flight: Flight<T>, read: () => Promise<Reading<T>>): NonNullable<Flight<T>["running"]> {
  flight.running ??= { reading: land(flight, read), sincePerf: performance.now() };
  return flight.running;
}

async function land<T>(flight: Flight<T>, read: () => Promise<Reading<T>>): Promise<Reading<T>> {
  const begunPerf = performance.now();
  const reading = await take(read);
  const atPerf = performance.now();
  flight.latest = { reading, atPerf, tookMs: atPerf - begunPerf };
  if (reading.kind === "read") flight.good = { value: reading.value, atPerf };
  flight.running = null;
  return reading;
}

/** What throws is a bug or a wrong setting: it is logged, and is no reason for the rest of the page to be missing. */
async function take<T>(read: () => Promise<Reading<T>>): Promise<Reading<T>> {
  try {
    return await read();
  } catch (error) {
    logLine({ event: "reading_failed", error: String(error) });
    return { kind: "failed", code: "internal", sentence: "Reading it broke on the server. Its log says why." };
  }
}

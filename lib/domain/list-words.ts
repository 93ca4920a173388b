import type { ListName, ListState, Runtime, StoreState } from "./list-state";
import { duration, proseDuration } from "./time";

/** What the lists are called, and what stands in each. */
export const LIST_WORDS: Record<ListName, { word: string; of: string; end: string }> = {
  pending: { word: "Pending", of: "entries that wait to be taken", end: "taken from" },
  retrying: { word: "Retrying", of: "entries that failed and wait for the next tick", end: "put back from" },
  processing: { word: "Processing", of: "entries in the hands of writers that name no runtime", end: "taken first" },
  dead_letter: { word: "Dead letters", of: "dead letters", end: "died first" },
};

const entries = (count: number) => `${count.toLocaleString("en-US")} ${count === 1 ? "entry" : "entries"}`;

/** "12 entries wait, the oldest for 4m 10s; 3 failed and wait for the next tick." */
export function sayWaiting({ counts, oldestMs, atMs }: Pick<ListState, "counts" | "oldestMs" | "atMs">): string {
  const { pending, retrying } = counts;
  if (pending === null) return "How many entries wait could not be told.";
  const age = oldestMs.pending === null ? null : Math.max(0, atMs - oldestMs.pending);
  const told = pending === 0 ? "" : age === null ? ", since when is not told" : `, the oldest for ${duration(age)}`;
  const failed = retrying === 0 || retrying === null ? "" : `; ${entries(retrying)} failed before`;
  return `${entries(pending)} ${pending === 1 ? "waits" : "wait"}${told}${failed}.`;
}

/** A runtime whose heartbeat is older than this is gone: the next start of a worker brings back what it held. */
const GONE_MS = 30_000;
const LATE_MS = 15_000;

export type Beat = "alive" | "late" | "gone" | "untold";

/** What a heartbeat says of a runtime, on the store's clock. */
export function beatOf({ beatMs }: Pick<Runtime, "beatMs">, atMs: number): Beat {
  if (beatMs === null) return "untold";
  const age = atMs - beatMs;
  return age > GONE_MS ? "gone" : age > LATE_MS ? "late" : "alive";
}

/** What that means, in a sentence. */
export function sayBeat(runtime: Pick<Runtime, "beatMs" | "held">, atMs: number): string {
  const { beatMs, held } = runtime;
  if (beatMs === null) return "Its heartbeat is not a number: whether it lives cannot be told.";
  const ago = proseDuration(Math.max(0, atMs - beatMs));
  switch (beatOf(runtime, atMs)) {
    case "gone":
      return held === 0
        ? `Last heard of ${ago} ago, and it holds nothing.`
        : `Last heard of ${ago} ago: the next start of a worker brings back what it held.`;
    case "late":
      return `Last heard of ${ago} ago: it is late.`;
    default:
      return `Heard of ${ago === "0 s" ? "just now" : `${ago} ago`}.`;
  }
}

/** What a Redis list cannot tell, said once. */
export const UNTOLD =
  "A Redis list has no leases and no schedule: since when an entry is in a worker's hands is not recorded, nor is each of its attempts.";

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

/** `812 B`, `4.8 MiB` */
export function sayBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1_024 && unit < UNITS.length - 1) [value, unit] = [value / 1_024, unit + 1];
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

/** Redis's own state as rows of a term and a value. What it does not tell says so. */
export function storeRows(store: StoreState, atMs: number): [term: string, value: string][] {
  const told = (value: string | null) => value ?? "not told";
  const saved = store.lastSaveMs === null ? "" : `, last ${proseDuration(Math.max(0, atMs - store.lastSaveMs))} ago`;
  const limit = store.memoryMax === null ? "no limit" : `of ${sayBytes(store.memoryMax)}`;
  return [
    ["Version", told(store.version)],
    ["Role", told(store.role)],
    ["Append-only file", `${store.aof}, last write ${told(store.aofLastWrite)}`],
    ["Snapshots", `${told(store.lastSaveStatus)}${saved}`],
    ["Memory", store.memoryUsed === null ? "not told" : `${sayBytes(store.memoryUsed)}, ${limit}`],
    ["When it is full", told(store.memoryPolicy)],
    ["Evicted keys", store.evictedKeys === null ? "not told" : store.evictedKeys.toLocaleString("en-US")],
    ["Replicas", store.replicas.length === 0 ? "none" : store.replicas.map(sayReplica).join("; ")],
  ];
}

function sayReplica({ name, state, behindBytes, lagS }: StoreState["replicas"][number]): string {
  const behind = behindBytes === null ? "" : `, ${behindBytes.toLocaleString("en-US")} bytes behind`;
  return `${name} ${state}${behind}${lagS === null ? "" : `, heard of ${lagS} s ago`}`;
}

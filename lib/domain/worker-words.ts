import { duration, utcMinute } from "./time";
import type { Worker, WorkerCounts, WorkerState, Workers } from "./worker";

/** The word of each state, and the state whose glyph and hue it has. */
export const WORKER_WORDS: Record<WorkerState, { word: string; as: "ok" | "warn" | "dead" | "not_configured" }> = {
  alive: { word: "Heard of", as: "ok" },
  late: { word: "Late", as: "warn" },
  lost: { word: "Lost", as: "dead" },
  gone: { word: "Gone", as: "not_configured" },
  quiet: { word: "Quiet", as: "not_configured" },
  untold: { word: "Not told", as: "warn" },
};

const NAMED = 3;

const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;

/** A name as a sentence may hold it: its end, since workers of one deployment differ there. */
const named = (name: string) => (name.length > 40 ? `…${name.slice(-39)}` : name);

/** Why a worker is in its state: what is known of it and since when, in a sentence. */
export function sayWorker({ state, leases, counts }: Worker, atMs: number): string {
  const settled = counts?.settledMs == null ? null : utcMinute(counts.settledMs);
  const ended = leases.firstEndMs === null ? "" : ` ${duration(atMs - leases.firstEndMs)} ago`;
  switch (state) {
    case "alive":
      return leases.live > 0 ? "It holds leases that have not ended." : `It settled a write at ${settled}.`;
    case "late":
      return leases.expired > 0
        ? `It is heard of, but ${counted(leases.expired, "lease", "leases")} of it ended${ended}.`
        : "It is heard of, but leases of it were lost in these minutes.";
    case "lost": {
      const since = settled === null ? "It settled nothing in the last hour." : `It last settled at ${settled}.`;
      return leases.expired > 0 ? `Its oldest lease ended${ended}. ${since}` : `It lost its leases. ${since}`;
    }
    case "gone":
      return `It lost its leases, and others took up what it held. ${settled === null ? "It settled nothing in the last hour." : `It last settled at ${settled}.`}`;
    case "quiet":
      return settled === null
        ? "It holds nothing and settled nothing in the last hour."
        : `It holds nothing. It last settled at ${settled}.`;
    case "untold":
      return `Its leases ended${ended}. Whether it still works cannot be told: this store counts no settles.`;
    default:
      return state satisfies never;
  }
}

/** "2 leases lost, 1 late settle refused in 1 h" */
export function sayLosses({ lostLeases, staleSettles }: WorkerCounts): string {
  const parts = [
    lostLeases > 0 ? `${counted(lostLeases, "lease", "leases")} lost` : "",
    staleSettles > 0 ? `${counted(staleSettles, "late settle", "late settles")} refused` : "",
  ];
  return `${parts.filter(Boolean).join(", ")} in 1 h`;
}

/** "3 leases were lost in the last hour, by engine-x (2) and engine-y (1)." and whose late settles were refused. */
export function sayLostLeases({ workers, more, uncounted }: Workers): string {
  if (uncounted !== null) return uncounted;
  const lost = told(workers, ({ lostLeases }) => lostLeases);
  const stale = told(workers, ({ staleSettles }) => staleSettles);
  const known = more ? " of the workers shown" : "";
  const first =
    lost.sum === 0
      ? `No lease${known} was lost in the last hour.`
      : `${counted(lost.sum, "lease", "leases")}${known} ${lost.sum === 1 ? "was" : "were"} lost in the last hour, by ${lost.by}.`;
  if (stale.sum === 0) return first;
  return `${first} ${counted(stale.sum, "late settle was", "late settles were")} refused, of ${stale.by}.`;
}

function told(workers: readonly Worker[], of: (counts: NonNullable<Worker["counts"]>) => number) {
  const each = workers
    .map(({ name, counts }) => ({ name, count: counts ? of(counts) : 0 }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count);
  const words = each.slice(0, NAMED).map(({ name, count }) => `${named(name)} (${count.toLocaleString("en-US")})`);
  if (each.length > NAMED) words.push(counted(each.length - NAMED, "other", "others"));
  const by = words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
  return { sum: each.reduce((sum, { count }) => sum + count, 0), by };
}

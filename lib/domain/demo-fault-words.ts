import type { FaultName, FaultView } from "./demo-fault";
import type { FAULT_ENTRIES } from "./runbook";
import { utcClock } from "./time";

/** In the order of the panel. Apart from the schema, so that a browser that shows them does not load what checks them. */
export const FAULT_NAMES = [
  "row_lock",
  "missing_right",
  "worker_stopped",
  "worker_frozen",
  "poison",
  "presence_keys",
  "cleanup_killed",
  "redis_refuses",
] as const;

type Words = {
  title: string;
  /** What it does, in sentences. */
  does: string;
  /** The button that makes it, and the one that mends it; null: it is over by itself. */
  make: string;
  mend: string | null;
  /** As the status tells it. */
  fact: string;
  /** What is so once it is mended. */
  mended: string;
  entry: (typeof FAULT_ENTRIES)[number];
};

/** The words of each of the demo's faults. */
export const FAULT_WORDS: Record<FaultName, Words> = {
  row_lock: {
    title: "Locked rows",
    does: "A session holds 8 characters' rows for up to 2 min. Their writes time out (55P03) and try again; left to its end, a few may die.",
    make: "Hold a row lock",
    mend: "Let the rows go",
    fact: "The demo holds rows locked",
    mended: "The rows are free: what waits for them goes through.",
    entry: "locked-rows",
  },
  missing_right: {
    title: "A missing right",
    does: "The engine loses INSERT on reward_ledger. At most 24 rewards die of it (42501).",
    make: "Revoke the right",
    mend: "Grant it again",
    fact: "The demo's engine may not write rewards",
    mended: "The engine may write rewards again. Its letters stay until somebody requeues them.",
    entry: "missing-right",
  },
  worker_stopped: {
    title: "A stopped worker",
    does: "The retry worker gives back what it holds and takes no more. At most 40 due rows wait and grow old.",
    make: "Stop the worker",
    mend: "Start the worker",
    fact: "The demo's retry worker is stopped",
    mended: "The worker runs again and takes what is due.",
    entry: "worker-stopped",
  },
  worker_frozen: {
    title: "A frozen worker",
    does: "The engine's process stands still with rows in hand, past their leases, and is thawed 5 s later.",
    make: "Freeze the worker",
    mend: null,
    fact: "The demo's engine is being frozen",
    mended: "Nothing will be frozen.",
    entry: "worker-frozen",
  },
  poison: {
    title: "A payload that kills",
    does: "Whoever applies it is killed and starts again. After 3 lost leases it is dead, unrun.",
    make: "Queue the payload",
    mend: "Mend the engine",
    fact: "The demo's engine dies of one payload",
    mended: "The engine survives the payload now. Its letter can be requeued.",
    entry: "poison",
  },
  presence_keys: {
    title: "Keys of another type",
    does: "Something else writes over the presence keys of 8 players as they leave. Their cleanups die of it (WRONGTYPE). Two of the players come back.",
    make: "Overwrite the keys",
    mend: "Remove the keys",
    fact: "The demo's presence keys are of another type",
    mended: "The keys are gone. Their letters stay until somebody requeues them.",
    entry: "journal-depths",
  },
  cleanup_killed: {
    title: "A worker that dies in the middle",
    does: "The engine is killed once, with a cleanup half done, and starts again. What it held is brought back after 10 s and finished.",
    make: "Kill it in the middle",
    mend: null,
    fact: "The demo's engine is about to be killed",
    mended: "Nothing will be killed.",
    entry: "journal-depths",
  },
  redis_refuses: {
    title: "A Redis that refuses writes",
    does: "For up to 1 min Redis has no memory left (OOM). Cleanups cannot be recorded: the sessions of players who leave stay, and are closed once it takes writes again.",
    make: "Refuse writes",
    mend: "Take writes again",
    fact: "The demo's Redis refuses writes",
    mended: "Redis takes writes again.",
    entry: "enqueue-errors",
  },
};

/** "Since 03:12:06, over by itself at 03:14:06." */
export function sayFaultTime({ fault, sinceMs, endsMs, frozenMs }: FaultView): string {
  const since = frozenMs === null ? `Since ${utcClock(sinceMs)}` : `Frozen at ${utcClock(frozenMs)}`;
  const freezes = fault === "worker_frozen" || fault === "cleanup_killed";
  const over = freezes ? (frozenMs === null ? "over by itself at the latest" : "thawed") : "over by itself";
  const end = endsMs === null ? ", until it is mended" : `, ${over} at ${utcClock(endsMs)}`;
  return `${since}${end}.`;
}

/** "Since 03:12:06, over by itself at 03:14:06. 5 of 8 writes so far: 3 wait, 2 are dead." */
export function sayFault(open: FaultView): string {
  const { writes, writesMax, waiting, letters } = open;
  if (writesMax === 0) return sayFaultTime(open);
  const became =
    writes === 0
      ? ""
      : `: ${waiting} ${waiting === 1 ? "waits" : "wait"}, ${letters} ${letters === 1 ? "is" : "are"} dead`;
  const what = open.fault === "presence_keys" ? "cleanups" : "writes";
  return `${sayFaultTime(open)} ${writes} of ${writesMax} ${what} so far${became}.`;
}

import type { QueueOverview } from "./overview";
import type { QueueRecent, Watched } from "./recent";
import type { RunbookEntry } from "./runbook";

/** One of the operational signals: whether it stands out, in words, with its rows and its line of the runbook. */
export type Signal = {
  id: string;
  /** `untold`: there is nothing to read it from, which is no proof that all is well. */
  state: "stands_out" | "quiet" | "untold";
  title: string;
  /** The number beside it; null: not told. */
  value: string | null;
  sentence: string;
  /** The rows that it speaks of; null: this desk lists none. */
  href: string | null;
  runbook: RunbookEntry;
};

/** Below this a growth is the coming and going of a handful. */
const GROWN_MIN = 20;
const GROWN_SHARE = 0.2;
/** Entries that wait in a list: a worker takes one in a moment. */
const JOURNAL_MAX = 100;

const number = (value: number) => value.toLocaleString("en-US");
const counted = (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`;

type Asked = { queue: QueueOverview; watched: Watched | null };

/** The signals of every queue, those that stand out first. Of a queue that is not configured there are none. */
export function signalsOf(queues: readonly QueueOverview[], recent: readonly QueueRecent[]): Signal[] {
  const all = queues
    .filter(({ depths }) => depths.kind !== "not_configured")
    .flatMap((queue): Signal[] => {
      const asked = { queue, watched: recent.find(({ name }) => name === queue.name)?.watched ?? null };
      if (queue.shape === "redis-list") return [journalDepths(asked), enqueueErrors(asked)];
      return [rowsGrowing(asked), repeatedLeasing(asked), deadInserts(asked), durableOnly(asked)];
    });
  const order = { stands_out: 0, untold: 2, quiet: 1 };
  return all.sort((a, b) => order[a.state] - order[b.state]);
}

const since = (watched: Watched) => `in the last ${watched.minutes} min`;
const UNSAMPLED = "The keeper has not sampled it for long enough.";

function rowsGrowing({ queue, watched }: Asked): Signal {
  const base = {
    id: `${queue.name}:growing`,
    title: "Retry rows growing",
    href: queue.lists.jobs ? `/retries?queue=${queue.name}&state=due,expired` : null,
    runbook: "due-late" as const,
  };
  if (!watched || watched.rowsBefore === null || watched.rowsNow === null)
    return { ...base, state: "untold", value: null, sentence: UNSAMPLED };
  const { rowsBefore, rowsNow } = watched;
  const grown = rowsNow - rowsBefore;
  const out = grown >= Math.max(GROWN_MIN, rowsBefore * GROWN_SHARE);
  const sentence = `From ${number(rowsBefore)} to ${counted(rowsNow, "row", "rows")} ${since(watched)}.`;
  return { ...base, state: out ? "stands_out" : "quiet", value: `${grown > 0 ? "+" : ""}${number(grown)}`, sentence };
}

function repeatedLeasing({ queue, watched }: Asked): Signal {
  const base = {
    id: `${queue.name}:leasing`,
    title: "Rows leased again and again",
    href: queue.lists.jobs ? `/retries?queue=${queue.name}&state=expired` : null,
    runbook: "lost-leases" as const,
  };
  if (!watched || watched.lostLeases === null)
    return { ...base, state: "untold", value: null, sentence: "This store counts no lost leases." };
  const lost = watched.lostLeases;
  const sentence = `${counted(lost, "lease was lost", "leases were lost")} ${since(watched)}.`;
  return { ...base, state: lost > 0 ? "stands_out" : "quiet", value: number(lost), sentence };
}

function deadInserts({ queue, watched }: Asked): Signal {
  const base = {
    id: `${queue.name}:died`,
    title: "New dead letters",
    href: queue.lists.letters ? `/dead-letters?queue=${queue.name}&died=15m&view=list` : null,
    runbook: "dead" as const,
  };
  if (!watched || watched.died === null)
    return { ...base, state: "untold", value: null, sentence: "This store counts no deaths by the minute." };
  const sentence = `${counted(watched.died, "job died", "jobs died")} ${since(watched)}.`;
  return { ...base, state: watched.died > 0 ? "stands_out" : "quiet", value: number(watched.died), sentence };
}

function durableOnly({ queue, watched }: Asked): Signal {
  const base = {
    id: `${queue.name}:durable-only`,
    title: "Durable only",
    href: queue.lists.jobs ? `/retries?queue=${queue.name}&state=due` : null,
    runbook: "durable-only" as const,
  };
  const reasons = watched?.durableOnly ?? null;
  if (!watched || reasons === null)
    return { ...base, state: "untold", value: null, sentence: "The engine's metrics are not read: no token is set." };
  const told = Object.entries(reasons).filter(([, count]) => count > 0);
  const sum = told.reduce((all, [, count]) => all + count, 0);
  const why = told.map(([reason, count]) => `${number(count)} ${reason.replaceAll("_", " ")}`).join(", ");
  const sentence = `${counted(sum, "write was", "writes were")} stored without telling the worker ${since(watched)}${why && `: ${why}`}.`;
  return { ...base, state: sum > 0 ? "stands_out" : "quiet", value: number(sum), sentence };
}

function journalDepths({ queue }: Asked): Signal {
  const base = {
    id: `${queue.name}:depths`,
    title: "Journal depths",
    href: queue.lists.entries ? `/lists?queue=${queue.name}` : null,
    runbook: "journal-depths" as const,
  };
  if (queue.depths.kind !== "read")
    return { ...base, state: "untold", value: null, sentence: "Redis could not be read." };
  const { due, processing, dead } = queue.depths.value;
  const said = (count: number | null, word: string) => `${count === null ? "?" : number(count)} ${word}`;
  const out = (due ?? 0) > JOURNAL_MAX || (dead ?? 0) > 0;
  return {
    ...base,
    state: out ? "stands_out" : due === null || dead === null ? "untold" : "quiet",
    value: due === null ? null : number(due + (processing ?? 0)),
    sentence: `${said(due, "pending")}, ${said(processing, "processing")}, ${said(dead, "dead")}.`,
  };
}

function enqueueErrors({ queue, watched }: Asked): Signal {
  const base = {
    id: `${queue.name}:enqueue`,
    title: "Cleanups that could not be queued",
    href: null,
    runbook: "enqueue-errors" as const,
  };
  if (!watched || watched.enqueueErrors === null)
    return { ...base, state: "untold", value: null, sentence: "The engine does not tell its enqueue errors." };
  const errors = watched.enqueueErrors;
  const sentence = `${counted(errors, "enqueue error", "enqueue errors")} ${since(watched)}.`;
  return { ...base, state: errors > 0 ? "stands_out" : "quiet", value: number(errors), sentence };
}

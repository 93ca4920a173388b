import type { Impact } from "./impact";
import { needsAttention, WAITING_STATES } from "./impact-words";
import { isUntaken, LATE_MS } from "./late";
import type { Overview, QueueOverview } from "./overview";
import { openOf } from "./overview-facts";
import type { DeadHistory } from "./recent";
import { duration, proseDuration, utcClock, utcMinute } from "./time";

/** A piece of a sentence; with `href` it opens the rows that it speaks of; `muted` is what follows from the rest. */
export type Part = { text: string; href?: string; muted?: boolean };
export type Sentence = Part[];

/** Below this, that nothing was added is chance. */
const QUIET_MS = 60_000;
/** The samples are asked half an hour back; two of them may miss at its edge. */
const WATCHED_MS = 30 * 60_000 - 10_000;

const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
const letters = (count: number) => counted(count, "dead letter", "dead letters");
const openIn = (queue: QueueOverview) => openOf(queue) ?? 0;
const names = (queues: QueueOverview[]) => listed(queues.map(({ name }) => name));
const listed = (words: string[]) =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

/** "Postgres does not answer: persistence-retry cannot be read." One sentence for each reason. */
export function sayUnread(unread: QueueOverview[]): Sentence[] {
  const reasons = new Map<string, QueueOverview[]>();
  for (const queue of unread) {
    const why = queue.depths.kind === "failed" ? queue.depths.sentence.replace(/\.$/, "") : "";
    reasons.set(why, [...(reasons.get(why) ?? []), queue]);
  }
  return [...reasons].map(([why, queues]) => [{ text: `${why}: ${names(queues)} cannot be read.` }]);
}

/** "The engine has not answered for 2.5 s." Every queue may be read while nothing can be requeued, and its workers stand still. */
export function saySilentEngine({ connections }: Pick<Overview, "connections">): Sentence[] {
  const engine = connections.find(({ name, state }) => name === "Engine" && state === "no_answer");
  if (!engine) return [];
  const [first] = (engine.note ?? "The engine does not answer").split(/\.(?:\s|$)/);
  return [[{ text: `${first}.` }]];
}

/** "persistence-retry was last read at 03:12:06: 441 dead letters then" */
export function sayLastRead({ name, last }: QueueOverview): string {
  if (last === null) return `${name} has not been read since this desk started`;
  const { dead, atMs } = last.depths;
  return `${name} was last read at ${utcClock(atMs)}${dead === null ? "" : `: ${letters(dead)} then`}`;
}

/** "1,284 dead letters since 03:02 wait for a decision." and, where it is proved, "None was added for 4m 05s." */
export function sayDead(dead: QueueOverview[], history: ReadonlyMap<string, DeadHistory>): Sentence[] {
  const clauses = dead.map((queue): Part[] => {
    const since = history.get(queue.name)?.sinceMs ?? null;
    const named = dead.length > 1 || !queue.lists.letters;
    const tail = `${named ? ` in ${queue.name}` : ""}${since === null ? "" : ` since ${utcMinute(since)}`}`;
    const count: Part = { text: letters(openIn(queue)) };
    if (queue.lists.letters) count.href = `/dead-letters?queue=${queue.name}&state=open&view=list`;
    return tail === "" ? [count] : [count, { text: tail }];
  });
  const verb = dead.length === 1 && dead.every((queue) => openIn(queue) === 1) ? "waits" : "wait";
  const joined = clauses.flatMap((clause, index) => (index === 0 ? clause : [{ text: " and " }, ...clause]));
  const first: Sentence = [...joined, { text: ` ${verb} for a decision.` }];
  const quietMs = dead.length === 1 ? (history.get(dead[0]?.name ?? "")?.quietMs ?? 0) : 0;
  if (quietMs < QUIET_MS) return [first];
  const long = quietMs >= WATCHED_MS ? "in the last 30 min" : `for ${duration(quietMs)}`;
  return [first, [{ text: `None was added ${long}.`, muted: true }]];
}

/** "12 writes that degrade a session wait longer than 2 min, the oldest 4m 10s." Nothing when none does. */
export function sayImpacts({ name, lists, impacts }: QueueOverview): Sentence[] {
  const counts = impacts?.kind === "read" ? impacts.value : [];
  const rows = (impact: Impact) =>
    lists.jobs ? `/retries?queue=${name}&state=${WAITING_STATES}&impact=${impact}` : "";
  const linked = (text: string, href: string): Part => (href ? { text, href } : { text });
  return counts.filter(needsAttention).map(({ impact, waiting, late, oldestMs }) => {
    const href = rows(impact);
    if (impact === "DisconnectRequired") {
      const rest = waiting === 1 ? " should end its session, and waits." : " should end their sessions, and wait.";
      return [linked(counted(waiting, "write", "writes"), href), { text: rest }];
    }
    const age = duration(oldestMs ?? 0);
    const than = proseDuration(LATE_MS);
    return late === 1
      ? [linked("1 write that degrades", href), { text: ` a session waits longer than ${than}: ${age}.` }]
      : [
          linked(counted(late, "", "writes that degrade"), href),
          { text: ` a session wait longer than ${than}, the oldest ${age}.` },
        ];
  });
}

/** "Nothing is being claimed: 12 rows are due in persistence-retry, the longest for 45s, and no lease is held." */
export function sayUntaken({ name, lists, depths }: QueueOverview): Sentence[] {
  if (depths.kind !== "read" || !isUntaken(depths.value)) return [];
  const { due, untakenMs } = depths.value;
  const rows: Part = { text: counted(due ?? 0, "row is due", "rows are due") };
  if (lists.jobs) rows.href = `/retries?queue=${name}&state=due`;
  const longest = due === 1 ? "" : " the longest";
  const rest = ` in ${name},${longest} for ${duration(untakenMs ?? 0)}, and no lease is held.`;
  return [[{ text: "Nothing is being claimed: " }, rows, { text: rest }]];
}

/** "persistence-retry is behind: 190 leases have expired and its oldest row has waited 9m 48s." Nothing when it is not. */
export function sayBehind(queue: QueueOverview, isLate: (ageMs: number | null) => boolean): Sentence[] {
  const { name, depths } = queue;
  if (depths.kind !== "read") return [];
  const { expired, oldestDueMs } = depths.value;
  const facts = [
    expired ? counted(expired, "lease has expired", "leases have expired") : "",
    isLate(oldestDueMs) ? `its oldest row has waited ${duration(oldestDueMs ?? 0)}` : "",
  ].filter(Boolean);
  if (facts.length === 0) return [];
  const text = `${name} is behind: ${facts.join(" and ")}.`;
  return [[openOf(queue) ? { text, muted: true } : { text }]];
}

/** "All 2 queues are keeping up. Nothing waits for a decision." Only of what was read and told. */
export function sayFine(read: QueueOverview[], { partly, behind }: { partly: boolean; behind: boolean }): Sentence[] {
  if (read.length === 0) return [];
  const untold = read.filter(({ depths }) => depths.kind === "read" && depths.value.dead === null);
  const keeping = `${names(read)} ${read.length === 1 ? "is" : "are"} keeping up.`;
  if (partly) return behind ? [] : [[{ text: keeping, muted: true }]];
  const nothing =
    untold.length > 0
      ? `Whether dead letters wait in ${names(untold)} could not be told.`
      : "Nothing waits for a decision.";
  if (behind) return [[{ text: nothing, muted: true }]];
  return [[{ text: read.length === 1 ? keeping : `All ${read.length} queues are keeping up.` }], [{ text: nothing }]];
}

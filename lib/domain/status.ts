import type { DeadHistory } from "./history";
import type { Overview, QueueOverview } from "./overview";
import { duration, utcClock, utcMinute } from "./time";

/** The state that a sentence, a fact or a queue is in, by the name of its glyph. */
export type Mark = "ok" | "warn" | "dead" | "expired" | "unconfigured";

/** A piece of a sentence; with `href` it opens the rows that it speaks of. */
export type Part = { text: string; href?: string; muted?: boolean };
export type Fact = { mark: Mark; text: string };

/** The first line of the Overview: what is wrong, what is already fine. Only of what was read. */
export type Status = {
  mark: Mark;
  parts: Part[];
  facts: Fact[] /** Where to decide; null: nothing waits. */;
  review: string | null;
};

/**
 * A job's whole permitted life of 8 attempts is 64 s of waiting; what may be taken and is older than twice that is not
 * being kept up with.
 */
export const LATE_MS = 120_000;
export const isLate = (oldestDueMs: number): boolean => oldestDueMs > LATE_MS;

const SAMPLE_SILENCE_MS = 30_000;

/** The worst that is known of one queue. */
export function markOf({ depths }: QueueOverview): Mark {
  if (depths.kind === "not_configured") return "unconfigured";
  if (depths.kind === "failed") return "warn";
  const { dead, expired, oldestDueMs } = depths.value;
  if (dead) return "dead";
  if (expired || isLate(oldestDueMs ?? 0)) return "expired";
  return dead === null ? "warn" : "ok";
}

type History = ReadonlyMap<string, DeadHistory>;

/** Writes the status from one reading, and from what the samples tell of the dead letters. */
export function statusOf(overview: Overview, history: History): Status {
  const configured = overview.queues.filter(({ depths }) => depths.kind !== "not_configured");
  const unread = configured.filter(({ depths }) => depths.kind === "failed");
  const read = configured.filter(({ depths }) => depths.kind === "read");
  const facts = [
    ...unread.map(lastRead),
    ...demoFacts(overview),
    ...read.flatMap((queue) => silence(queue, history)),
  ].filter((fact) => fact !== null);
  if (configured.length === 0) {
    return { mark: "unconfigured", parts: [{ text: "No queue is configured." }], facts, review: null };
  }
  const rest = sayRead(read, history, unread.length > 0);
  const review = read.find((queue) => deadOf(queue) > 0 && queue.lists.letters);
  return {
    mark: unread.length > 0 ? "warn" : worst(read),
    parts: [...sayUnread(unread), ...rest],
    facts,
    review: review ? lettersHref(review) : null,
  };
}

const deadOf = ({ depths }: QueueOverview) => (depths.kind === "read" ? (depths.value.dead ?? 0) : 0);
const lettersHref = ({ name }: QueueOverview) => `/dead-letters?queue=${name}`;

function worst(queues: QueueOverview[]): Mark {
  const marks = queues.map(markOf);
  return (["dead", "expired", "warn"] as const).find((mark) => marks.includes(mark)) ?? "ok";
}

/** "Postgres does not answer: persistence-retry cannot be read." */
function sayUnread(unread: QueueOverview[]): Part[] {
  const sentences = new Map<string, string[]>();
  for (const { name, depths } of unread) {
    const why = depths.kind === "failed" ? depths.sentence.replace(/\.$/, "") : "";
    sentences.set(why, [...(sentences.get(why) ?? []), name]);
  }
  return [...sentences].map(([why, names]) => ({ text: `${why}: ${listed(names)} cannot be read. ` }));
}

function sayRead(read: QueueOverview[], history: History, partly: boolean): Part[] {
  const dead = read.filter((queue) => deadOf(queue) > 0);
  const behind = read.filter(
    (queue) =>
      queue.depths.kind === "read" && (queue.depths.value.expired || isLate(queue.depths.value.oldestDueMs ?? 0)),
  );
  const untold = read.filter(({ depths }) => depths.kind === "read" && depths.value.dead === null);
  if (dead.length > 0) {
    return [...sayDead(dead, history), ...behind.map((queue) => ({ text: ` ${sayBehind(queue)}`, muted: true }))];
  }
  const nothing =
    untold.length > 0
      ? `Whether dead letters wait in ${listed(names(untold))} could not be told.`
      : "Nothing waits for a decision.";
  if (behind.length > 0) return [{ text: behind.map(sayBehind).join(" ") }, { text: ` ${nothing}`, muted: true }];
  if (read.length === 0) return [];
  if (partly) return [{ text: `${listed(names(read))} ${read.length === 1 ? "is" : "are"} keeping up.`, muted: true }];
  const all = read.length === 1 ? `${listed(names(read))} is` : `All ${read.length} queues are`;
  return [{ text: `${all} keeping up. ${nothing}` }];
}

/** "1,284 dead letters in persistence-retry since 03:02 wait for a decision. None added for 4m 05s." */
function sayDead(dead: QueueOverview[], history: History): Part[] {
  const parts: Part[] = [];
  for (const [index, queue] of dead.entries()) {
    const count = deadOf(queue);
    const since = history.get(queue.name)?.sinceMs ?? null;
    if (index > 0) parts.push({ text: " and " });
    parts.push({
      text: `${count.toLocaleString("en-US")} dead letter${count === 1 ? "" : "s"}`,
      ...(queue.lists.letters ? { href: lettersHref(queue) } : {}),
    });
    if (dead.length > 1 || !queue.lists.letters) parts.push({ text: ` in ${queue.name}` });
    if (since !== null) parts.push({ text: ` since ${utcMinute(since)}` });
  }
  const one = dead.length === 1 && dead[0] !== undefined && deadOf(dead[0]) === 1;
  parts.push({ text: ` ${one ? "waits" : "wait"} for a decision.` });
  const quiet = dead.map((queue) => history.get(queue.name)?.quietMs ?? null);
  if (dead.length === 1 && quiet[0] != null) parts.push({ text: ` ${sayQuiet(quiet[0])}`, muted: true });
  return parts;
}

const sayQuiet = (ms: number) => `None was added for ${duration(ms)}.`;

function sayBehind({ name, depths }: QueueOverview): string {
  if (depths.kind !== "read") return "";
  const { expired, oldestDueMs } = depths.value;
  const facts = [
    expired ? `${expired.toLocaleString("en-US")} lease${expired === 1 ? " has" : "s have"} expired` : null,
    isLate(oldestDueMs ?? 0) ? `its oldest row has waited ${duration(oldestDueMs ?? 0)}` : null,
  ].filter((fact) => fact !== null);
  return `${name} is behind: ${facts.join(" and ")}.`;
}

function lastRead({ name, last }: QueueOverview): Fact | null {
  if (last === null) return { mark: "warn", text: `${name} has not been read since this desk started` };
  const { dead, atMs } = last.depths;
  const then = dead === null ? "" : `: ${dead.toLocaleString("en-US")} dead letter${dead === 1 ? "" : "s"} then`;
  return { mark: "warn", text: `${name} was last read at ${utcClock(atMs)}${then}` };
}

function demoFacts({ demo }: Overview): Fact[] {
  if (demo?.kind !== "read" || demo.value.brokenSinceMs === null) return [];
  return [{ mark: "warn", text: `The demo's catalog is broken since ${utcClock(demo.value.brokenSinceMs)}` }];
}

/** Whether the keeper still samples, by the queue's own clock. */
function silence({ name, depths }: QueueOverview, history: History): Fact[] {
  const sampled = history.get(name)?.sampledMs ?? null;
  if (depths.kind !== "read" || sampled === null || depths.value.atMs - sampled < SAMPLE_SILENCE_MS) return [];
  return [{ mark: "warn", text: `The keeper has not sampled ${name} for ${duration(depths.value.atMs - sampled)}` }];
}

const names = (queues: QueueOverview[]) => queues.map(({ name }) => name);
const listed = (words: string[]) =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

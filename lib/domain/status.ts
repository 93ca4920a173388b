import { FAULT_WORDS } from "./demo-fault-words";
import type { ImpactCount } from "./impact";
import { needsAttention } from "./impact-words";
import { isLate, isUntaken } from "./late";
import type { Overview, QueueOverview } from "./overview";
import { openOf } from "./overview-facts";
import type { DeadHistory } from "./recent";
import type { RunbookEntry } from "./runbook";
import {
  type Part,
  type Sentence,
  sayBehind,
  sayDead,
  sayFine,
  sayImpacts,
  sayLastRead,
  saySilentEngine,
  sayUnread,
  sayUntaken,
} from "./status-sentences";
import { duration, utcClock } from "./time";

export type { Part } from "./status-sentences";

/** The state that a sentence, a fact or a queue is in, by the name of its glyph. */
export type Mark = "ok" | "warn" | "dead" | "expired" | "unconfigured";
export type Fact = { mark: Mark; text: string };

/** The first line of the Overview: what is wrong, what is already fine. Only of what was read. */
export type Status = {
  mark: Mark;
  parts: Part[];
  facts: Fact[];
  /** Where to decide; null: nothing that this desk lists waits. */
  review: string | null;
  /** The entry of the runbook on the worst of it; null: all is well. */
  runbook: RunbookEntry | null;
};

/** What the samples tell of each queue's dead letters, by the queue's name. */
export type DeadHistories = ReadonlyMap<string, DeadHistory>;

/** Six samples that did not come. */
const SILENCE_MS = 30_000;

/** The worst that is known of one queue. */
export function markOf(queue: QueueOverview): Mark {
  const { depths, impacts } = queue;
  if (depths.kind === "not_configured") return "unconfigured";
  if (depths.kind === "failed") return "warn";
  const { dead, expired, oldestDueMs } = depths.value;
  if (openOf(queue)) return "dead";
  if (expired || isLate(oldestDueMs) || isUntaken(depths.value) || impacted(impacts).some(needsAttention))
    return "expired";
  return dead === null ? "warn" : "ok";
}

const impacted = (impacts: QueueOverview["impacts"]): ImpactCount[] => (impacts?.kind === "read" ? impacts.value : []);

/** Writes the status from one reading, and from what the samples tell of the dead letters. */
export function statusOf(overview: Overview, history: DeadHistories): Status {
  const configured = overview.queues.filter(({ depths }) => depths.kind !== "not_configured");
  const unread = configured.filter(({ depths }) => depths.kind === "failed");
  const read = configured.filter(({ depths }) => depths.kind === "read");
  const review = read.find((queue) => isDead(queue) && queue.lists.letters);
  const engine = saySilentEngine(overview);
  const sentences =
    configured.length === 0 ? [[{ text: "No queue is configured." }]] : [...engine, ...say(read, unread, history)];
  return {
    mark: configured.length === 0 ? "unconfigured" : worst(configured, engine.length > 0),
    parts: sentences.flatMap((sentence, index) => (index === 0 ? sentence : [{ text: " " }, ...sentence])),
    facts: [
      ...unread.map((queue): Fact => ({ mark: "warn", text: sayLastRead(queue) })),
      ...demoFacts(overview),
      ...read.flatMap((queue) => silence(queue, history)),
    ],
    review: review ? `/dead-letters?queue=${review.name}` : null,
    runbook: entryOf(configured, engine.length > 0),
  };
}

/** What to read first: what cannot be seen, then what waits for a person, then what is behind. */
function entryOf(queues: QueueOverview[], engineIsSilent: boolean): RunbookEntry | null {
  const unread = queues.find(({ depths }) => depths.kind === "failed");
  if (unread) return unread.shape === "postgres-lease" ? "postgres-away" : "redis-away";
  if (queues.some(isDead)) return "dead";
  if (queues.some(({ impacts }) => impacted(impacts).some(needsAttention))) return "session-degraded";
  const depths = queues.flatMap((queue) => (queue.depths.kind === "read" ? [queue.depths.value] : []));
  if (depths.some(({ expired }) => expired)) return engineIsSilent ? "worker-frozen" : "lease-expired";
  if (depths.some(isUntaken)) return "worker-stopped";
  return depths.some(({ oldestDueMs }) => isLate(oldestDueMs)) ? "due-late" : null;
}

const isDead = (queue: QueueOverview) => markOf(queue) === "dead";

/** What could not be read comes first: nothing after it may sound as if it spoke of all. */
function worst(queues: QueueOverview[], engineIsSilent: boolean): Mark {
  const marks = queues.map(markOf);
  if (queues.some(({ depths }) => depths.kind === "failed")) return "warn";
  return (
    (["dead", "expired", "warn"] as const).find((mark) => marks.includes(mark)) ?? (engineIsSilent ? "warn" : "ok")
  );
}

function say(read: QueueOverview[], unread: QueueOverview[], history: DeadHistories): Sentence[] {
  const dead = read.filter(isDead);
  const behind = read.flatMap((queue) => [...sayUntaken(queue), ...sayImpacts(queue), ...sayBehind(queue, isLate)]);
  const rest = [dead.length > 0 ? sayDead(dead, history) : [], behind].flat();
  if (dead.length === 0) rest.push(...sayFine(read, { partly: unread.length > 0, behind: behind.length > 0 }));
  return [...sayUnread(unread), ...rest];
}

function demoFacts({ demo }: Overview): Fact[] {
  if (demo?.kind !== "read") return [];
  const { brokenSinceMs, fault } = demo.value;
  return [
    brokenSinceMs === null ? null : `The demo's catalog is broken since ${utcClock(brokenSinceMs)}`,
    fault === null ? null : `${FAULT_WORDS[fault.fault].fact} since ${utcClock(fault.sinceMs)}`,
  ].flatMap((text): Fact[] => (text === null ? [] : [{ mark: "warn", text }]));
}

/** Whether the keeper still samples, by the queue's own clock. */
function silence({ name, depths }: QueueOverview, history: DeadHistories): Fact[] {
  const sampled = history.get(name)?.sampledMs ?? null;
  if (depths.kind !== "read" || sampled === null || depths.value.atMs - sampled < SILENCE_MS) return [];
  return [{ mark: "warn", text: `The keeper has not sampled ${name} for ${duration(depths.value.atMs - sampled)}` }];
}

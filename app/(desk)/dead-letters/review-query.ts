import type { Query } from "@/components/ui/query";
import type { Who } from "@/lib/auth/role";
import { ArchivedState, type ArchiveFilter } from "@/lib/domain/archived-letter";
import { type DiedRange, readDied, writeDied } from "@/lib/domain/died-range";
import { type Params, paramsReader } from "@/lib/domain/params";
import { QueueName } from "@/lib/domain/queue";
import { decodeTextCursor } from "@/lib/queues/cursor";

/** Every letter, whatever became of it. */
export const ALL = "all";
/** Words for several states at once: dead is what its store calls active, resolved or not. */
const WORDS: Record<string, ArchivedState[]> = { dead: ["open", "resolved"], active: ["open", "resolved"] };
const STATE_WORDS = [ALL, "dead", "active", ...ArchivedState.options];

/** A filter in the parts in which the page sets and removes it. */
export type ReviewFilter = Omit<ArchiveFilter, "fromMs" | "toMs" | "queues"> & { died?: DiedRange | undefined };

/** What the address of the dead letters asks for, and what of it could not be used. */
export type ReviewQuery = {
  view: "error" | "list";
  filter: ReviewFilter;
  /** What the histogram shows, where a brush has fixed it. */
  span: DiedRange | undefined;
  place: { after: string | undefined; before: string | undefined };
  /** The same as an address again, without what was left out. */
  query: Query;
  notes: string[];
};

/**
 * Reads the address of the dead letters. Without a state it is the open ones; but who searches wants to find letters
 * whatever became of them, and one by one.
 */
export function readReviewQuery(params: Params): ReviewQuery {
  const read = paramsReader(params);
  const isPlace = (text: string) => decodeTextCursor(text) !== null;
  const matching = <T>(key: string, judge: (text: string) => T | null, what: string): T | undefined => {
    const text = read.text(key);
    if (text === undefined) return undefined;
    const value = judge(text);
    if (value === null) read.notes.push(`${key} is not ${what}, so it was left out.`);
    return value ?? undefined;
  };
  const asked = read.list("state", STATE_WORDS);
  const text = read.text("q");
  const tokenHash = matching("token", (given) => (/^[\da-f]{64}$/.test(given) ? given : null), "a hash of a token");
  const subject = read.text("subject");
  const sought = text !== undefined || tokenHash !== undefined;
  const [asks] = read.list("view", ["error", "list"]);
  const place = { after: read.place("after", isPlace), before: read.place("before", isPlace) };
  const inList = sought || subject !== undefined || place.after !== undefined || place.before !== undefined;
  const view = asks ?? (inList ? "list" : "error");
  const filter: ReviewFilter = {
    queue: read.list("queue", QueueName.options)[0],
    states: statesOf(asked, sought),
    kind: read.text("kind"),
    subject,
    realm: read.text("realm"),
    group: matching("group", (given) => (/^[1-9]\d{0,17}$/.test(given) ? given : null), "the number of a group"),
    text,
    tokenHash,
    died: matching("died", readDied, "a stretch of time like 24h or 2026-11-14T02:58Z..2026-11-14T03:41Z"),
  };
  const span = matching("span", readDied, "a stretch of time");
  const written = (range: DiedRange | undefined) =>
    range && (range.kind === "last" ? range.text : writeDied(range.fromMs, range.toMs));
  const query = {
    queue: filter.queue,
    state: asked.includes(ALL) ? ALL : asked.join(",") || undefined,
    died: written(filter.died),
    kind: filter.kind,
    realm: filter.realm,
    subject,
    group: filter.group,
    q: text,
    token: tokenHash,
    view: asks,
    span: written(span),
    ...place,
  };
  return { view, filter, span, place, query, notes: read.notes };
}

function statesOf(asked: string[], sought: boolean): ArchivedState[] | undefined {
  if (asked.includes(ALL) || (asked.length === 0 && sought)) return undefined;
  const named = asked.flatMap((word) => WORDS[word] ?? ArchivedState.safeParse(word).data ?? []);
  return named.length > 0 ? ArchivedState.options.filter((state) => named.includes(state)) : ["open"];
}

/** The filter with its times, by the database's clock (ms since 1970), and within the limit of who asks. */
export function archiveFilter(
  { died, ...asked }: ReviewFilter,
  nowMs: number,
  who: Pick<Who, "queues">,
): ArchiveFilter {
  const rest = who.queues === null ? asked : { ...asked, queues: who.queues };
  if (!died) return rest;
  return died.kind === "last"
    ? { ...rest, fromMs: nowMs - died.ms }
    : { ...rest, fromMs: died.fromMs, toMs: died.toMs };
}

const DAY_MS = 86_400_000;

/** What the histogram shows: what a brush has fixed, else the time that the filter is of and what lies around it, else a day. */
export function spanOf({ filter: { died }, span }: ReviewQuery, nowMs: number): { fromMs: number; toMs: number } {
  if (died?.kind === "last") return { fromMs: nowMs - died.ms, toMs: nowMs };
  if (span?.kind === "between" && (!died || (span.fromMs <= died.fromMs && span.toMs >= died.toMs))) return span;
  if (!died) return { fromMs: nowMs - (span?.kind === "last" ? span.ms : DAY_MS), toMs: nowMs };
  const around = died.toMs - died.fromMs;
  return { fromMs: Math.max(0, died.fromMs - around), toMs: died.toMs + around };
}

import type { Pool } from "pg";
import { type Done, readDone } from "@/lib/console/audit/read-window";
import type { ArchiveFilter } from "@/lib/domain/archived-letter";
import { groupAge } from "@/lib/domain/group-age";
import { countParts } from "@/lib/domain/state-parts";
import { utcClock } from "@/lib/domain/time";
import { code, plain, type TimelineEntry, timelineMarkdown } from "@/lib/domain/timeline-markdown";
import { countArchived } from "./count";
import { type GroupInView, readGroups } from "./groups";
import { searchOf } from "./search";

const DONE_MAX = 5_000;
const ACTIONS = ["requeue", "resolve", "reopen", "note"];

const n = (count: number, one: string) => `${count.toLocaleString("en-US")} ${one}${count === 1 ? "" : "s"}`;

/**
 * What died within a stretch of time and what was done, in order, as Markdown: each cause when it began and ended, and
 * each requeue, decision and note of that time. The filter narrows the causes; what was done is told whole, or of the
 * queues that who asks is limited to.
 */
export async function writeTimeline(
  own: Pool,
  filter: ArchiveFilter,
  span: { fromMs: number; toMs: number },
): Promise<string> {
  const within = { ...filter, ...span };
  const search = searchOf(own, within.text);
  const [{ groups, total, capped }, count, told] = await Promise.all([
    readGroups(own, within, span, { search }),
    countArchived(own, within, { search }),
    readDone(own, ACTIONS, span, DONE_MAX),
  ]);
  const { queues } = filter;
  const done = queues ? told.filter(({ target }) => queues.includes(String(target.queue))) : told;
  const summary = [
    `${n(count.count, "letter")}${count.capped ? " and more" : ""} died of ${n(total, "cause")}.`,
    ...(capped ? ["The causes are of the newest 100,000 letters."] : []),
    ...(groups.length < total ? [`The largest ${groups.length} causes are told.`] : []),
    ...(told.length === DONE_MAX ? [`Of what was done the first ${DONE_MAX.toLocaleString("en-US")} are told.`] : []),
    ...groups.map((group) => groupLine(group, span)),
  ];
  return timelineMarkdown(span, summary, [...groups.flatMap(groupEntries), ...done.map(doneEntry)]);
}

function groupLine(group: GroupInView, { fromMs, toMs }: { fromMs: number; toMs: number }): string {
  const age = groupAge(group, toMs, fromMs);
  const states = countParts(group.counts)
    .filter(({ count }) => count > 0)
    .map(({ word, count }) => `${count.toLocaleString("en-US")} ${word}`);
  const tag = age === "new" ? " (new)" : age === "regressed" ? " (came back)" : "";
  return `${code(group.title)}${tag}, ${plain(group.kind)}: ${n(group.letters, "letter")} of ${n(group.subjects, "character")}, ${states.join(", ")} now.`;
}

function groupEntries(group: GroupInView): TimelineEntry[] {
  const { title, letters, firstMs, lastMs } = group;
  if (letters === 1) return [{ atMs: firstMs, text: `A letter died of ${code(title)}, the only one.` }];
  return [
    { atMs: firstMs, text: `The first of ${n(letters, "letter")} died of ${code(title)}.` },
    { atMs: lastMs, text: `The last one died of ${code(title)}, which began at ${utcClock(firstMs)}.` },
  ];
}

function doneEntry({ atMs, action, actor, target, reason, outcome, detail }: Done): TimelineEntry {
  const because = reason ? ` Reason: ${plain(reason)}` : "";
  const who = `**${plain(actor)}**`;
  switch (action) {
    case "note":
      return { atMs, text: `${who} noted: ${plain(String(detail?.body ?? ""))}` };
    case "resolve":
    case "reopen": {
      const verb = action === "resolve" ? "resolved" : "reopened";
      return { atMs, text: `${who} ${verb} ${n(Number(detail?.changed ?? 0), "letter")}.${because}` };
    }
    default: {
      const letter = plain(String(target.letterId ?? ""));
      return {
        atMs,
        text: `${who} requeued letter ${letter}: ${plain((outcome ?? "unknown").replaceAll("_", " "))}.${because}`,
      };
    }
  }
}

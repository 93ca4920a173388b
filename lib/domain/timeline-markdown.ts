import { duration, utcClock, utcDate, utcFull } from "./time";
import { markUnseen } from "./unseen";

/** One thing that happened, at an instant (ms since 1970). `text` is Markdown. */
export type TimelineEntry = { atMs: number; text: string };

/** Text of others as one line in which everything is seen, of at most 400 characters. */
const lineOf = (text: string) => [...markUnseen(text).replace(/\s+/g, " ").trim()].slice(0, 400).join("");

/** Text of others in Markdown: nothing in it is markup, and it is one line. */
export function plain(text: string): string {
  return lineOf(text).replace(/[\\`*_{}[\]()#+\-!|<>~&]/g, "\\$&");
}

/** The same as code: in a fence that is longer than any in it. */
export function code(text: string): string {
  const line = lineOf(text);
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  const pad = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
}

type Span = { fromMs: number; toMs: number };

/** What happened within a stretch of time, in order, a line each, with its date where a day begins. */
export function timelineMarkdown(span: Span, summary: readonly string[], entries: readonly TimelineEntry[]): string {
  const lines = [
    `# Dead letters, ${utcFull(span.fromMs)} to ${utcFull(span.toMs)}`,
    "",
    `${duration(span.toMs - span.fromMs)}. All times are UTC.`,
    "",
    ...summary.map((line) => `- ${line}`),
    "",
    "## What happened",
  ];
  let day = "";
  for (const { atMs, text } of entries.toSorted((a, b) => a.atMs - b.atMs)) {
    if (utcDate(atMs) !== day) {
      day = utcDate(atMs);
      lines.push("", `### ${day}`, "");
    }
    lines.push(`- **${utcClock(atMs)}** ${text}`);
  }
  if (entries.length === 0) lines.push("", "Nothing is recorded.");
  return `${lines.join("\n")}\n`;
}

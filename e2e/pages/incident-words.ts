import type { CauseFacts, DoneFacts } from "./incident-facts";

// The same numbers as the desk should write them, written here once more.

export const n = (count: number) => count.toLocaleString("en-US");
export const sum = (causes: CauseFacts[]) => causes.reduce((total, { letters }) => total + letters, 0);

/** What became of its letters, in the words of the desk: what waits for somebody first. */
export const splitOf = ({ died_again, open, recovered, resolved }: CauseFacts): string[] =>
  Object.entries({ "died again": died_again, open, recovered, "settled otherwise": resolved })
    .filter(([, count]) => count > 0)
    .map(([word, count]) => `${n(count)} ${word}`);

/** Whether nobody had seen it before an instant. */
export const isNew = ({ everFirst }: CauseFacts, since: string) => Date.parse(everFirst) >= Date.parse(since);

/** Text in Markdown, as text. */
const md = (text: string) => text.replace(/[_*-]/g, "\\$&");
export const full = (instant: string) => `${instant.slice(0, 10)} ${instant.slice(11, 19)} UTC`;

/** The lines of a timeline that have numbers, as they should stand in it. */
export function timelineOf(causes: CauseFacts[], done: DoneFacts[], from: string, to: string): string[] {
  const deaths = causes.flatMap(({ title, letters, first, last, firstClock, lastClock }) => [
    [first, `- **${firstClock}** The first of ${n(letters)} letters died of \`${title}\`.`],
    [last, `- **${lastClock}** The last one died of \`${title}\`, which began at ${firstClock}.`],
  ]);
  const acts = done.map((act) => {
    const what =
      act.what === "requeue" ? `requeued letter ${md(act.letterId)}: requeued.` : `resolved ${n(act.letters)} letters.`;
    return [act.at, `- **${act.clock}** **${act.by}** ${what} Reason: ${act.reason}`];
  });
  return [
    `# Dead letters, ${full(from)} to ${full(to)}`,
    `- ${n(sum(causes))} letters died of ${causes.length} causes.`,
    ...causes.map((cause) => {
      const tag = isNew(cause, from) ? " (new)" : "";
      return `- \`${cause.title}\`${tag}, ${md(cause.kind)}: ${n(cause.letters)} letters of ${n(cause.characters)} characters, ${splitOf(cause).toReversed().join(", ")} now.`;
    }),
    ...[...deaths, ...acts].sort(([a = ""], [b = ""]) => Date.parse(a) - Date.parse(b)).map(([, line = ""]) => line),
  ];
}

/** The cells of a CSV file, line by line. */
export function cellsOf(csv: string): string[][] {
  const lines: string[][] = [[]];
  for (const [, quoted, bare, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare ?? "");
    if (end !== ",") lines.push([]);
  }
  return lines.slice(0, -1);
}

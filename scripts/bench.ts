import { archive } from "./bench/archive";
import { claim } from "./bench/claim";
import { drain } from "./bench/drain";
import { enqueue } from "./bench/enqueue";
import { expired } from "./bench/expired";
import type { Figure } from "./bench/figure";
import { firstLoad } from "./bench/first-load";
import { journal } from "./bench/journal";
import { journalInspect } from "./bench/journal-inspect";
import { journalLeftovers } from "./bench/journal-leftovers";
import { longChart } from "./bench/long-chart";
import { pollers } from "./bench/pollers";
import { retries } from "./bench/retries";
import { review } from "./bench/review";
import { startTime } from "./bench/start-time";

/** `npm run bench [-- NAME] [--json]`: a line per figure; exit code 1 where a goal is missed. */
const BENCHES: Record<string, () => Promise<Figure[]>> = {
  drain,
  claim,
  expired,
  enqueue,
  review,
  archive,
  retries,
  pollers,
  "long-chart": longChart,
  journal,
  "journal-inspect": journalInspect,
  "journal-leftovers": journalLeftovers,
  "first-load": firstLoad,
  "start-time": startTime,
};

const args = process.argv.slice(2);
const json = args.includes("--json");
const names = args.filter((arg) => !arg.startsWith("--"));
const unknown = names.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(", ")}. There are: ${Object.keys(BENCHES).join(", ")}.`);
  process.exit(2);
}

let missed = 0;
for (const [name, bench] of Object.entries(BENCHES)) {
  if (names.length > 0 && !names.includes(name)) continue;
  for (const figure of await bench()) {
    if (figure.met === false) missed += 1;
    console.log(json ? JSON.stringify({ note: "", ...figure }) : lineOf(figure));
  }
}
process.exit(missed > 0 ? 1 : 0);

function lineOf({ name, value, unit, goal, met, note }: Figure): string {
  const verdict = met === null ? "" : met ? "met" : "MISSED";
  return [`${name}: ${value} ${unit}`, goal, verdict, note].filter(Boolean).join(" · ");
}

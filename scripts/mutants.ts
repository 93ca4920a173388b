import { setTimeout as sleep } from "node:timers/promises";
import { openLane } from "./mutants/lane";
import { type Mutant, readMutants } from "./mutants/list";
import { judge, type Verdict } from "./mutants/verdict";

/**
 * `npm run mutants [-- WORD …]`: takes each guard of `scripts/mutants.json` away, in a copy of this tree, and sees to it
 * that its tests go red. With words: only mutants whose name or file holds one of them. Code 1 when one survives.
 */
const LANES = 2;

const words = process.argv.slice(2);
const wanted = ({ name, file }: Mutant) =>
  words.length === 0 || words.some((word) => name.includes(word) || file.includes(word));
const waiting = readMutants().filter(wanted);
if (waiting.length === 0) {
  console.error(`No mutant has ${words.join(" or ")} in its name or file.`);
  process.exit(2);
}

const total = waiting.length;
const endings: Record<Verdict["kind"], number> = { killed: 0, survived: 0, broken: 0 };
const startedMs = performance.now();
await Promise.all(Array.from({ length: Math.min(LANES, total) }, (_, lane) => work(lane)));
const seconds = Math.round((performance.now() - startedMs) / 1_000);
console.log(`${endings.killed} killed, ${endings.survived} survived, ${endings.broken} broken, in ${seconds} s`);
process.exit(endings.killed === total ? 0 : 1);

async function work(number: number): Promise<void> {
  // Two that begin in the same moment look for the same free ports.
  await sleep(number * 5_000);
  const lane = await openLane();
  try {
    for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
      const verdict = await judge(lane, mutant);
      endings[verdict.kind] += 1;
      console.log(`${verdict.kind.padEnd(8)} ${mutant.name}${"why" in verdict ? ` · ${verdict.why}` : ""}`);
    }
  } finally {
    await lane.close();
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import { readDepths } from "@/lib/engine/durable/redis-work-queue";
import { goOn } from "@/scripts/chaos/chaos";
import type { Fleet } from "@/scripts/chaos/fleet";
import { count, violated } from "@/scripts/chaos/tally";
import { checkJournal } from "./check";
import { startClosing } from "./close-streams";
import { startRequeuing } from "./operator";
import type { JournalStage } from "./stage";

const STANDS_STILL_MS = 60_000;

/** Something happens to workers or to Redis while streams close and letters are requeued; then all is drained and checked. */
export async function journalUnderLoad(
  stage: JournalStage,
  name: string,
  act: (fleet: Fleet) => Promise<void>,
): Promise<void> {
  const fleet = stage.openFleet();
  const load = [await startClosing(stage), await startRequeuing(stage, fleet)];
  try {
    await act(fleet);
  } finally {
    await Promise.all(load.map((each) => each.stop()));
    await fleet.end();
  }
  goOn(stage.chaos);
  await drainAndCheck(stage, name);
}

/** Two undisturbed workers work everything off; then every piece of work is looked for. */
export async function drainAndCheck(stage: JournalStage, name: string): Promise<void> {
  const { chaos } = stage;
  const fleet = stage.openFleet();
  try {
    stage.start(fleet);
    stage.start(fleet);
    await untilNothingWaits(stage, name);
  } finally {
    await fleet.end();
  }
  const { live, dead, done, violations } = await checkJournal(stage);
  // What is wrong stays wrong: it is told at the first check that finds it.
  const fresh = violations.filter((violation) => !chaos.tally.violations.some((known) => known.endsWith(violation)));
  for (const violation of fresh) violated(chaos.tally, `after ${name}: ${violation}`);
  count(chaos.tally, "checks of every cleanup");
  chaos.say(`after ${name}: ${live} live, ${dead} dead, ${done} done; ${violations.length} violations`);
}

async function untilNothingWaits({ chaos, queue }: JournalStage, name: string): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  for (let movedMs = performance.now(); ; await sleep(100)) {
    goOn(chaos);
    const { pending, retrying, runtimes } = await readDepths(queue);
    const waiting = [pending, retrying, ...runtimes.map(({ processing }) => processing)].reduce<number>(
      (sum, depth) => sum + (depth ?? 0),
      0,
    );
    const { rows } = await chaos.pool.query("select count(*)::int as n from persistence_retry_jobs");
    if (waiting === 0 && rows[0].n === 0) return;
    if (waiting + rows[0].n < least) movedMs = performance.now();
    least = Math.min(least, waiting + rows[0].n);
    if (performance.now() < movedMs + STANDS_STILL_MS) continue;
    violated(chaos.tally, `after ${name}: ${waiting} entries and ${rows[0].n} rows wait, and nothing moves`);
    return;
  }
}

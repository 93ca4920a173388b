import { newBook } from "@/lib/engine/testing/conservation";
import { bundleEngine } from "@/scripts/testing/bundle-program";
import { type Chaos, Stopped } from "./chaos";
import { finish } from "./drain";
import type { Options } from "./options";
import { startOwnPostgres } from "./own-postgres";
import { createRandom } from "./random";
import { clocks } from "./rounds/clocks";
import { crashPoints } from "./rounds/crash-points";
import { cuts } from "./rounds/cuts";
import { engineKills } from "./rounds/engine-kills";
import { freezes } from "./rounds/freezes";
import { journal } from "./rounds/journal";
import { keeperKills } from "./rounds/keeper-kills";
import { model } from "./rounds/model";
import { poison } from "./rounds/poison";
import { postgresKills } from "./rounds/postgres-kills";
import { producerKills } from "./rounds/producer-kills";
import { newTally, printTally } from "./tally";
import { makeWorld } from "./world";

/** Runs every round; answers 0 where all of them ran and nothing was violated, 1 where something was, 130 where it was stopped. */
export async function runChaos(options: Options, signal: AbortSignal): Promise<number> {
  const startedMs = performance.now();
  const say = (line: string) => {
    const seconds = Math.round((performance.now() - startedMs) / 1_000);
    console.log(`${String(seconds).padStart(5)} s  ${line}`);
  };
  say(`seed ${options.seed}: repeat with --seed ${options.seed}`);
  const engine = await bundleEngine();
  const postgres = await startOwnPostgres();
  const tally = newTally();
  const pool = postgres.pool("engine", 8);
  try {
    const world = await makeWorld(pool);
    const random = createRandom(options.seed);
    const chaos: Chaos = {
      postgres,
      engineProgram: engine.program,
      pool,
      book: newBook(),
      world,
      random,
      tally,
      signal,
      say,
    };
    const engineRounds = [
      () => producerKills(chaos, options.producerKills),
      () => engineKills(chaos, options.engineKills),
      () => freezes(chaos, options.freezes),
      () => cuts(chaos, options.cuts),
      () => postgresKills(chaos, options.postgresKills),
      () => poison(chaos),
      () => finish(chaos),
      () => crashPoints(chaos),
      () => clocks(chaos),
      () => model(chaos, options.modelRuns),
    ];
    const rounds = [
      ...(options.parts.includes("engine") ? engineRounds : []),
      ...(options.parts.includes("keeper") ? [() => keeperKills(chaos, options.keeperKills)] : []),
      ...(options.parts.includes("journal") ? [() => journal(chaos, options)] : []),
    ];
    const endMs = options.minutes === null ? Number.POSITIVE_INFINITY : startedMs + options.minutes * 60_000;
    for (const round of rounds) {
      if (performance.now() > endMs) say("the time given is over: the rounds that are left are not run");
      if (performance.now() > endMs) break;
      await round();
    }
    tally.counts.set("seconds", Math.round((performance.now() - startedMs) / 1_000));
    tally.counts.set("seed", options.seed);
    printTally(tally);
    return tally.violations.length === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof Stopped) && !signal.aborted) throw error;
    printTally(tally);
    return 130;
  } finally {
    await postgres.end();
    engine.remove();
  }
}

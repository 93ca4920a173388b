import { atLeast, type Figure } from "./figure";
import { emptyJobs, fillJobs, newCharacters } from "./fill-jobs";
import { race } from "./race";
import { median, ratios, rounded } from "./rounds";
import { openBenchStores } from "./stores";

/** Rounds in which all take turns, and after them one round of the full number. */
const ROUNDS = 5;
const ROUND_JOBS = 4_000;
const FULL_JOBS = 20_000;

/** Who drains: the program, and how many processes of it. */
const DRAINS = {
  bare: ["baseline/drain-loop.ts", 1],
  one: ["worker-process.ts", 1],
  two: ["worker-process.ts", 2],
  bareTwo: ["baseline/drain-loop.ts", 2],
} as const;
/** Jobs per second, round by round. */
type Speeds = Record<keyof typeof DRAINS, number[]>;

/** Due jobs drained by the bare loop, one worker, two workers and two bare loops, in turn. */
export async function drain(): Promise<Figure[]> {
  const stores = await openBenchStores();
  try {
    const url = await stores.database("bench_drain");
    const pool = stores.pool(url);
    const people = await newCharacters(pool);
    const round = async (jobs: number, speeds: Speeds) => {
      for (const name of Object.keys(DRAINS) as (keyof typeof DRAINS)[]) {
        const [program, processes] = DRAINS[name];
        await emptyJobs(pool);
        await fillJobs(pool, people, jobs);
        await pool.query("analyze persistence_retry_jobs");
        const seconds = (await race(program, url, processes, jobs)) / 1_000;
        speeds[name].push(jobs / seconds);
      }
    };
    const [turns, full] = [noSpeeds(), noSpeeds()];
    for (let turn = 0; turn < ROUNDS; turn += 1) await round(ROUND_JOBS, turns);
    await round(FULL_JOBS, full);
    return figures(turns, full);
  } finally {
    await stores.end();
  }
}

const noSpeeds = (): Speeds => ({ bare: [], one: [], two: [], bareTwo: [] });

function figures(turns: Speeds, full: Speeds): Figure[] {
  const inTurns = `${ROUNDS} rounds of ${ROUND_JOBS}`;
  const compare = (name: string, goal: number, [what, against]: [keyof Speeds, keyof Speeds]) => {
    const each = ratios(turns[what], turns[against]);
    const whole = ratios(full[what], full[against])[0] ?? 0;
    const said = [
      `${inTurns}: median ${rounded(median(each))}, least ${rounded(Math.min(...each))}`,
      ...[what, against].map(
        (one) => `${one} ${Math.round(median(turns[one]))} jobs/s, full ${Math.round(full[one][0] ?? 0)}`,
      ),
    ];
    return atLeast(`${name}, ${FULL_JOBS} jobs`, rounded(whole), "x", goal, said.join("; "));
  };
  return [
    compare("one worker against the bare loop", 0.6, ["one", "bare"]),
    compare("two workers against one", 1.3, ["two", "one"]),
    { ...compare("two bare loops against one", 0, ["bareTwo", "bare"]), goal: "what this machine gives", met: null },
  ];
}

import { atLeast, type Figure } from "./figure";
import { emptyJobs, fillJobs, newCharacters } from "./fill-jobs";
import { race } from "./race";
import { median, ratios, rounded } from "./rounds";
import { openBenchStores } from "./stores";

/** All take turns in each round. A process's first seconds weigh little in so many jobs. */
const ROUNDS = 5;
const JOBS = 20_000;

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
    const speeds: Speeds = { bare: [], one: [], two: [], bareTwo: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const name of Object.keys(DRAINS) as (keyof typeof DRAINS)[]) {
        const [program, processes] = DRAINS[name];
        await emptyJobs(pool);
        await fillJobs(pool, people, JOBS);
        await pool.query("analyze persistence_retry_jobs");
        const seconds = (await race(program, url, processes, JOBS)) / 1_000;
        speeds[name].push(JOBS / seconds);
      }
    }
    return figures(speeds);
  } finally {
    await stores.end();
  }
}

function figures(speeds: Speeds): Figure[] {
  const compare = (name: string, goal: number, [what, against]: [keyof Speeds, keyof Speeds]) => {
    const each = ratios(speeds[what], speeds[against]);
    const said = [what, against].map((one) => `${one} ${Math.round(median(speeds[one]))} jobs/s`);
    const note = [`median of ${ROUNDS} rounds, least ${rounded(Math.min(...each))}`, ...said].join("; ");
    return atLeast(`${name}, ${JOBS} jobs`, rounded(median(each)), "x", goal, note);
  };
  return [
    compare("one worker against the bare loop", 0.6, ["one", "bare"]),
    compare("two workers against one", 1.3, ["two", "one"]),
    { ...compare("two bare loops against one", 0, ["bareTwo", "bare"]), goal: "what this machine gives", met: null },
  ];
}

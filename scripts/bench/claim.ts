import type pg from "pg";
import { claimDue, claimSuspect } from "@/lib/engine/persistence-retry/claim";
import { judgeLostClaims } from "@/lib/engine/persistence-retry/judge-lost-claims";
import { bareClaim } from "./baseline/claim";
import type { Figure } from "./figure";
import { fillWaiting, SHAPES } from "./fill-waiting";
import { median, ratios, rounded, timed } from "./rounds";
import { openBenchStores } from "./stores";

const SIZES = { small: 10_000, large: 1_000_000 } as const;
const ROUNDS = 15;
const ASK = { worker: "bench", leaseMs: 30_000, rowsMax: 128 };

/** What is timed in each table, in turn. */
const STATEMENTS = {
  claim: (db: pg.ClientBase) => claimDue(db, ASK),
  bare: bareClaim,
  judge: judgeLostClaims,
  suspect: (db: pg.ClientBase) => claimSuspect(db, ASK),
} as const;
type Statement = keyof typeof STATEMENTS;
type Times = Record<Statement, number[]>;

/** A claim of 128 from 10,000 and from 1,000,000 waiting rows, in turn, in each shape of the table. */
export async function claim(): Promise<Figure[]> {
  const stores = await openBenchStores();
  try {
    const small = stores.pool(await stores.database("bench_small"));
    const large = stores.pool(await stores.database("bench_large"));
    const figures: Figure[] = [];
    for (const shape of SHAPES) {
      await fillWaiting(small, SIZES.small, shape);
      await fillWaiting(large, SIZES.large, shape);
      const [few, many] = [noTimes(), noTimes()];
      for (let round = -1; round < ROUNDS; round += 1) {
        // The first prepares the statements and warms the pages.
        await oneOfEach(small, round < 0 ? noTimes() : few);
        await oneOfEach(large, round < 0 ? noTimes() : many);
      }
      figures.push(figureOf(shape.name, few, many));
    }
    return figures;
  } finally {
    await stores.end();
  }
}

const noTimes = (): Times => ({ claim: [], bare: [], judge: [], suspect: [] });

/** Rolled back: each claim of a table meets the same rows. */
async function oneOfEach(pool: pg.Pool, times: Times): Promise<void> {
  const client = await pool.connect();
  try {
    for (const name of Object.keys(STATEMENTS) as Statement[]) {
      await client.query("begin");
      times[name].push(await timed(() => STATEMENTS[name](client)));
      await client.query("rollback");
    }
  } finally {
    client.release();
  }
}

function figureOf(shape: string, few: Times, many: Times): Figure {
  const ratio = median(many.claim) / median(few.claim);
  const ms = (times: number[]) => `${rounded(median(times))} ms (least ${rounded(Math.min(...times))})`;
  const toBare = (times: Times) => `${rounded(median(ratios(times.claim, times.bare)))} x the bare claim`;
  const said = (times: Times) => `${ms(times.claim)}, ${toBare(times)}`;
  return {
    name: `claim of 128 from 1,000,000 against 10,000, ${shape}`,
    value: rounded(ratio),
    unit: "x",
    goal: "≤ 3 x",
    met: ratio <= 3,
    note: `10,000: ${said(few)}; 1,000,000: ${said(many)}; looking for lost leases ${ms(many.judge)}, for a suspect ${ms(many.suspect)}`,
  };
}

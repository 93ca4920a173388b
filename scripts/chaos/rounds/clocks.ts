import { workUnderClock } from "@/lib/engine/testing/under-clock";
import { type Chaos, goOn } from "@/scripts/chaos/chaos";
import { count, violated } from "@/scripts/chaos/tally";

const HOUR_MS = 3_600_000;
const SHIFTS = [0, HOUR_MS, -HOUR_MS, 24 * HOUR_MS, -24 * HOUR_MS];
const DATABASE = "clocks";

/** An engine whose clock is right, and others whose clocks are wrong by an hour and by a day: the same end states. */
export async function clocks({ postgres, engineProgram, tally, say, signal }: Chaos): Promise<void> {
  await postgres.newDatabase(DATABASE);
  const pool = postgres.pool("engine", 2, DATABASE);
  const given = { pool, databaseUrl: postgres.url("engine", { database: DATABASE }), rpcKeys: postgres.rpcKeys };
  let right = "";
  for (const shiftMs of SHIFTS) {
    goOn({ signal });
    const { logIsWrongByMinutes, ...state } = await workUnderClock({ ...given, shiftMs, program: engineProgram });
    if (shiftMs === 0) right = JSON.stringify(state);
    if (JSON.stringify(state) !== right) violated(tally, `clock wrong by ${shiftMs} ms: ${JSON.stringify(state)}`);
    if (Math.abs(Number(logIsWrongByMinutes) - shiftMs / 60_000) > 1) violated(tally, "the clock was not shifted");
    count(tally, "clocks, right and wrong");
  }
  if (right.includes("false")) violated(tally, `with the right clock: ${right}`);
  say(`clocks: ${SHIFTS.length} of them, the same end state`);
}

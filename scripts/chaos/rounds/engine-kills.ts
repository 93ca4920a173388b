import { setTimeout as sleep } from "node:timers/promises";
import type { Failpoint } from "@/lib/engine/failpoint";
import { type Chaos, goOn } from "@/scripts/chaos/chaos";
import type { Engine, Fleet } from "@/scripts/chaos/fleet";
import { count } from "@/scripts/chaos/tally";
import { underLoad } from "./under-load";

/** Those that an engine comes by; a producer comes by `queue.after_insert`. */
export const ENGINE_POINTS: Exclude<Failpoint, "queue.after_insert">[] = [
  "claim.after",
  "apply.before",
  "apply.after",
  "settle.before_commit",
  "settle.after_commit",
  "failure.before_commit",
  "requeue.before_commit",
  "requeue.after_commit",
];
const POINT_WITHIN_MS = 12_000;
/** Kills between two checks of everything. */
const ROUND = 25;

/** SIGKILL at each failpoint in turn and, in a second engine that runs beside, at random moments. */
export async function engineKills(chaos: Chaos, kills: number): Promise<void> {
  let point = 0;
  for (let done = 0; done < kills; ) {
    const until = Math.min(done + ROUND, kills);
    await underLoad(chaos, `${until} engine kills`, async (fleet) => {
      let left = until - done;
      const killAtPoints = async () => {
        while (left > 0) {
          goOn(chaos);
          left -= 1;
          await killAtPoint(chaos, fleet, ENGINE_POINTS[point++ % ENGINE_POINTS.length] ?? "claim.after");
        }
      };
      const killAtRandom = async () => {
        while (left > 0) {
          goOn(chaos);
          left -= 1;
          await killAtMoment(chaos, fleet);
        }
      };
      await Promise.all([killAtPoints(), killAtRandom()]);
    });
    done = until;
  }
}

async function killAtPoint(chaos: Chaos, fleet: Fleet, point: Failpoint): Promise<void> {
  await untilTriedAgain(chaos);
  const nth = chaos.random.int(1, point.startsWith("requeue") ? 2 : 8);
  const engine = fleet.start({ BACKSTOP_FAILPOINTS: `${point}=kill@${nth}` });
  await ready(engine);
  await Promise.race([engine.ended, sleep(POINT_WITHIN_MS)]);
  count(chaos.tally, engine.over ? `engine kills at ${point}` : "engine kills at a random moment");
  await end(engine);
}

async function killAtMoment(chaos: Chaos, fleet: Fleet): Promise<void> {
  const engine = fleet.start();
  await ready(engine);
  await sleep(chaos.random.int(50, 1_500));
  await untilTriedAgain(chaos);
  count(chaos.tally, "engine kills at a random moment");
  await end(engine);
}

const ready = (engine: Engine) => Promise.race([engine.ready, engine.ended]).catch(() => {});

async function end(engine: Engine): Promise<void> {
  engine.kill("SIGKILL");
  await engine.ended;
}

/**
 * Three hits in a row on the same row in hand are what poison is, and no engine could tell them apart. A failpoint always
 * hits a row in hand, and on a busy machine a random moment does nearly as often: before the next hit, what was hit twice
 * has had its turn.
 */
async function untilTriedAgain({ pool }: Chaos): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1, await sleep(50)) {
    const { rows } = await pool.query("select count(*)::int as n from persistence_retry_jobs where lost_leases > 1");
    if (rows[0].n === 0) return;
  }
}

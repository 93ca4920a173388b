import { setTimeout as sleep } from "node:timers/promises";
import type { Failpoint } from "@/lib/engine/failpoint";
import { type Chaos, goOn } from "@/scripts/chaos/chaos";
import { SETTINGS } from "@/scripts/chaos/fleet";
import { count } from "@/scripts/chaos/tally";
import { underLoad } from "./under-load";

const POINTS: Failpoint[] = [
  "claim.after",
  "apply.before",
  "apply.after",
  "settle.before_commit",
  "settle.after_commit",
  "failure.before_commit",
];

/** An engine stops (SIGSTOP) with rows in hand past its lease and goes on, while another works. */
export async function freezes(chaos: Chaos, times: number): Promise<void> {
  if (times === 0) return;
  await underLoad(chaos, `${times} frozen engines`, async (fleet) => {
    const other = fleet.start();
    await other.ready;
    for (let done = 0; done < times; done += 1) {
      goOn(chaos);
      const point = POINTS[done % POINTS.length];
      const engine = fleet.start({ BACKSTOP_FAILPOINTS: `${point}=freeze@${chaos.random.int(1, 4)}` });
      await engine.ready;
      const frozen = await Promise.race([engine.event("failpoint"), sleep(5_000).then(() => null)]).catch(() => null);
      if (frozen === null) engine.kill("SIGSTOP");
      await sleep(Number(SETTINGS.PERSISTENCE_RETRY_LEASE_MILLIS) + 300);
      engine.kill("SIGCONT");
      await sleep(600);
      count(chaos.tally, "engines frozen past their lease and thawed");
      engine.kill("SIGKILL");
      await engine.ended;
    }
  });
}

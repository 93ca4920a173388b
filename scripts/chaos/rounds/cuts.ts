import { setTimeout as sleep } from "node:timers/promises";
import { type Chaos, goOn } from "@/scripts/chaos/chaos";
import { count } from "@/scripts/chaos/tally";
import { type ProxyMode, startProxy } from "@/scripts/testing/proxy";
import { underLoad } from "./under-load";

/** Names of statements, as they stand in what is sent, or nothing: whatever comes next. */
const MATCHES = [
  undefined,
  "commit",
  "claim_due",
  "claim_suspect",
  "judge_lost_claims",
  "settle_lock",
  "apply_take_key",
  "settle_done",
  "settle_failed",
  "settle_dead",
  "release_claim",
  "requeue_letter",
  "operation_record_answers",
];
const CUT_WITHIN_MS = 3_000;

/** Both engines reach Postgres through a proxy that cuts before the server sees something, before its reply, or after it. */
export async function cuts(chaos: Chaos, times: number): Promise<void> {
  if (times === 0) return;
  const proxy = await startProxy({ port: chaos.postgres.port });
  try {
    await underLoad(chaos, `${times} cut connections`, async (fleet) => {
      const engines = [fleet.start({}, proxy.port), fleet.start({}, proxy.port)];
      await Promise.all(engines.map((engine) => engine.ready));
      for (let done = 0; done < times; done += 1) {
        goOn(chaos);
        const match = MATCHES[done % MATCHES.length];
        const where = match === undefined ? {} : { match };
        const mode = chaos.random.pick<ProxyMode>([
          { kind: "cut_before_request", ...where },
          { kind: "cut_before_reply", ...where },
          { kind: "cut_in_reply", bytes: chaos.random.int(1, 40), ...where },
          { kind: "cut_after_reply", quietMs: 1, ...where },
        ]);
        const cut = proxy.nextCut();
        proxy.set(mode, chaos.random.int(1, 2));
        await Promise.race([cut, sleep(CUT_WITHIN_MS)]);
        await sleep(chaos.random.int(50, 400));
        proxy.set({ kind: "pass" });
      }
      count(chaos.tally, "connections cut by the proxy", proxy.seen().cuts);
    });
  } finally {
    await proxy.close();
  }
}

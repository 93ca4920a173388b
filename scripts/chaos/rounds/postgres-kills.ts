import { setTimeout as sleep } from "node:timers/promises";
import { type Chaos, goOn } from "@/scripts/chaos/chaos";
import { CRASHES } from "@/scripts/chaos/own-postgres";
import { count, violated } from "@/scripts/chaos/tally";
import { underLoad } from "./under-load";

const ROUND = 25;
const AGAIN_WITHIN_MS = 30_000;

/** Postgres is killed, in three ways in turn, and comes back; two engines stay, and work again by themselves. */
export async function postgresKills(chaos: Chaos, kills: number): Promise<void> {
  for (let done = 0; done < kills; ) {
    const until = Math.min(done + ROUND, kills);
    await underLoad(chaos, `${until} Postgres kills`, async (fleet) => {
      const engines = [fleet.start(), fleet.start()];
      await Promise.all(engines.map((engine) => engine.ready));
      for (; done < until; done += 1) {
        goOn(chaos);
        await sleep(chaos.random.int(20, 700));
        const how = CRASHES[done % CRASHES.length] ?? "all";
        await chaos.postgres.crash(how);
        count(chaos.tally, `Postgres kills: ${how}`);
        await untilWorkedOn(chaos);
      }
    });
  }
}

/** Some engine has written something since the server came back. */
async function untilWorkedOn({ pool, tally }: Chaos): Promise<void> {
  const written = async () =>
    pool.query("select count(*)::int as n from persistence_applied_keys").then(
      ({ rows }) => Number(rows[0].n),
      () => null,
    );
  let before: number | null = null;
  for (const end = performance.now() + AGAIN_WITHIN_MS; performance.now() < end; await sleep(50)) {
    const now = await written();
    if (before !== null && now !== null && now > before) return;
    before ??= now;
  }
  violated(tally, `nothing was written within ${AGAIN_WITHIN_MS / 1_000} s after Postgres came back`);
}

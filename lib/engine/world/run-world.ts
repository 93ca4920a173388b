import { setTimeout as sleep } from "node:timers/promises";
import { log } from "@/lib/engine/log";
import type { PersistDirectlyDeps } from "@/lib/engine/persistence-retry/persist";
import { errorText } from "@/lib/engine/pg/error-text";
import { breakCatalog } from "./break-catalog";
import { takeWheel } from "./driver";
import { everyday } from "./everyday";
import { everBroken, expedition } from "./expedition";
import { pruneWorld } from "./prune-world";
import { seedWorld } from "./seed";

/** Five writes four times a second: 20 a second. */
const TICK_MS = 250;
const WRITES_A_TICK = 5;
/** While the catalog is broken one write a second fails: forty letters take less than a minute. */
const EXPEDITION_EVERY_TICKS = 4;
const PRUNE_EVERY_TICKS = 2_400;
const TROUBLE_MS = 3_000;

/** The demo world: seeds it, breaks the catalog on the very first start, and lives until the signal is aborted. */
export async function runWorld(
  deps: PersistDirectlyDeps,
  who: string,
  stop: AbortSignal,
  onDrive: (drives: boolean) => void = () => {},
): Promise<void> {
  const pause = (ms: number) => sleep(ms, undefined, { signal: stop }).catch(() => {});
  let seeded = false;
  let begun = false;
  let troubled = false;
  let driving = "";
  for (let tick = 0; !stop.aborted; tick += 1) {
    const startedMs = performance.now();
    try {
      if (!seeded) await seedWorld(deps.pool);
      seeded = true;
      const drive = tick % 4 === 0 || driving !== "drive" ? await takeWheel(deps.pool, who) : driving;
      if (drive !== driving) log("world", { state: drive });
      driving = drive;
      onDrive(drive === "drive");
      if (drive === "drive" && !begun) begun = await begin(deps);
      if (drive === "drive") await live(deps, tick);
      troubled = false;
      await pause(drive === "drive" ? TICK_MS - (performance.now() - startedMs) : 1_000);
    } catch (error) {
      // Once per trouble: a store that is away for an hour is one line.
      if (!troubled) log("world_trouble", { error: errorText(error).slice(0, 300) });
      troubled = true;
      driving = "";
      onDrive(false);
      await pause(TROUBLE_MS);
    }
  }
}

/** On the very first start the catalog is broken once, so that a newcomer has something to look at. */
async function begin({ pool }: PersistDirectlyDeps): Promise<true> {
  if (!(await everBroken(pool))) await breakCatalog(pool, "system");
  return true;
}

async function live(deps: PersistDirectlyDeps, tick: number): Promise<void> {
  await everyday(deps, WRITES_A_TICK);
  if (tick % EXPEDITION_EVERY_TICKS === 0) await expedition(deps);
  if (tick % PRUNE_EVERY_TICKS === PRUNE_EVERY_TICKS - 1) await pruneWorld(deps.pool);
}

import type pg from "pg";
import type { PersistDirectlyDeps } from "@/lib/engine/persistence-retry/persist";
import type { BeforeApply } from "@/lib/engine/persistence-retry/persist-retry-job";
import type { Worker } from "@/lib/engine/persistence-retry/worker";
import type { CloseDeps } from "@/lib/engine/session-lifecycle";
import { faultHook, runFaults, workerSwitch } from "./faults";
import { journalFaults } from "./journal-faults/play";
import { refusalSwitch } from "./journal-faults/refuse-writes";
import { gather } from "./players/crowd";
import { runPlayers } from "./players/run-players";
import { runWorld } from "./run-world";

export type DemoDeps = Omit<PersistDirectlyDeps, "pool"> & {
  url: string;
  openPool: (application: string, max: number) => pg.Pool;
  /** Starts the retry worker with the demo's hook. It is the demo that stops it: that is one of its faults. */
  work: (beforeApply: BeforeApply) => Worker;
  leaseMs: number;
  /** What closing a player's stream needs; null: without the journal nobody connects. */
  close: CloseDeps | null;
  /** Of a user who may make the Redis of this demo refuse writes; null: nobody may. */
  redisUrl: string | null;
  workerId: string;
};

/** The demo: its world, its faults, and the retry worker between them, until the signal is aborted. */
export async function runDemo(deps: DemoDeps, stop: AbortSignal): Promise<void> {
  const { url, openPool, work, leaseMs, workerId, signal, close, redisUrl, ...rest } = deps;
  const worldPool = openPool("engine-world", 3);
  // One for the round, one for the hook, one for a write that waits for a lock.
  const faultPool = openPool("engine-faults", 3);
  const hook = faultHook(faultPool, leaseMs);
  const worker = workerSwitch(() => {
    signal.open();
    return work(hook);
  });
  const crowd = close && gather({ pool: worldPool, close });
  const journal =
    close && crowd && journalFaults(faultPool, close, crowd, redisUrl === null ? null : refusalSwitch(redisUrl));
  let drives = false;
  const onDrive = (now: boolean) => {
    drives = now;
  };
  await Promise.all([
    runWorld({ ...rest, signal, pool: worldPool }, workerId, stop, onDrive),
    crowd && runPlayers(crowd, () => drives, stop),
    runFaults({ ...rest, signal, pool: faultPool, url, worker, journal }, stop),
  ]);
  await Promise.all([worldPool.end(), faultPool.end()]);
}

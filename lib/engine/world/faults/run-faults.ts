import { setTimeout as sleep } from "node:timers/promises";
import { log } from "@/lib/engine/log";
import type { PersistDirectlyDeps } from "@/lib/engine/persistence-retry/persist";
import { errorText } from "@/lib/engine/pg/error-text";
import type { JournalFaults } from "@/lib/engine/world/journal-faults/play";
import { endOverdueFault } from "./end-fault";
import { writeForFault } from "./fault-writes";
import { type RowHolder, rowHolder } from "./hold-rows";
import { findOpenFault, type OpenFault } from "./read-fault";
import type { WorkerSwitch } from "./worker-switch";

const TICK_MS = 500;
const TROUBLE_MS = 3_000;

export type FaultDeps = PersistDirectlyDeps & {
  /** The store's address, for a session of its own. */
  url: string;
  worker: WorkerSwitch;
  /** Its part of the journal's faults; null: this engine has no journal. */
  journal?: JournalFaults | null;
};

/**
 * This engine's part of whatever fault is open, until the signal is aborted: the store says what it is, so a restart
 * goes on with it and several engines agree. Nothing is held, and the worker is stopped, when it returns.
 */
export async function runFaults(deps: FaultDeps, stop: AbortSignal): Promise<void> {
  const pause = (ms: number) => sleep(ms, undefined, { signal: stop }).catch(() => {});
  const rows = rowHolder(deps.url);
  let shown: string | null = null;
  let troubled = false;
  while (!stop.aborted) {
    try {
      const open = await findOpenFault(deps.pool);
      if ((open?.fault ?? null) !== shown) log("demo_fault", { fault: open?.fault ?? null });
      shown = open?.fault ?? null;
      await play(deps, rows, open);
      troubled = false;
      await pause(TICK_MS);
    } catch (error) {
      // Once per trouble: a store that is away for an hour is one line.
      if (!troubled) log("demo_fault_trouble", { error: errorText(error).slice(0, 300) });
      troubled = true;
      await pause(TROUBLE_MS);
    }
  }
  await Promise.all([rows.letGo(), deps.worker.set(false), deps.journal?.close()]);
}

async function play(deps: FaultDeps, rows: RowHolder, open: OpenFault | null): Promise<void> {
  if (open?.leftMs === 0) {
    await endOverdueFault(deps.pool);
    return play(deps, rows, null);
  }
  await deps.worker.set(open?.fault !== "worker_stopped");
  if (open?.fault === "row_lock") await rows.hold(open);
  else await rows.letGo();
  if (open?.due) await writeForFault(deps, open);
  await deps.journal?.play(open?.due ? open : null);
}

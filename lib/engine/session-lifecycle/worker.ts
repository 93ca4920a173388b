import { setTimeout as sleep } from "node:timers/promises";
import {
  beat,
  leave,
  newRuntime,
  prune,
  type Returned,
  releaseEntry,
  returnLeftovers,
  takeEntries,
  tick,
  watchPlainProcessing,
} from "@/lib/engine/durable/redis-work-queue";
import type { WakeSignal } from "@/lib/engine/durable/wake-signal";
import { log } from "@/lib/engine/log";
import { errorText } from "@/lib/engine/pg/error-text";
import { giveBack, type Settle, type WorkDeps, workOn } from "./work-entry";

export type JournalSettings = {
  /** Between two looks while nothing wakes it; what failed is taken again from the next on. Ms. */
  intervalMs: number;
  attemptsMax: number;
  /** Without a heartbeat for so long a worker is gone. Ms. */
  goneAfterMs: number;
  /** What other writers hold and nobody has touched for so long is brought back. Ms. */
  plainUnchangedMs: number;
};

export type JournalWorkerDeps = Omit<WorkDeps, "runtime" | "attemptsMax"> & {
  settings: JournalSettings;
  signal: WakeSignal;
};

export type JournalWorker = {
  runtime: string;
  /** Finishes the entry in hand and takes nothing more. */
  stop(): Promise<void>;
};

/** After the store went away: the first pause, and the longest. */
const TROUBLE_MS = { first: 250, longest: 5_000 };
const PRUNE_EVERY_MS = 10 * 60_000;

/** Works off cleanups, one at a time, the oldest first: at a wake, and on the interval. */
export function startJournalWorker({ settings, signal, ...given }: JournalWorkerDeps): JournalWorker {
  const { queue, counters } = given;
  const runtime = newRuntime();
  const deps: WorkDeps = { ...given, runtime, attemptsMax: settings.attemptsMax };
  const plain = watchPlainProcessing(queue, settings.plainUnchangedMs);
  const stopped = new AbortController();
  let lookAt = 0;
  let pruneAt = 0;
  /** Worked on, and not settled yet, since Redis did not answer: nothing else is taken before it is. */
  let owed: Settle | null = null;
  /** A take may have landed without our knowing. */
  let unsure = false;
  // Beside the work: an entry that takes long must not make its worker look gone.
  const beating = setInterval(() => void beat(queue, runtime).catch(() => {}), settings.goneAfterMs / 3);

  async function turn(): Promise<void> {
    if (owed) await settle(owed);
    if (unsure) await releaseUnknown();
    if (performance.now() >= lookAt) {
      await look();
      lookAt = performance.now() + settings.intervalMs;
    }
    signal.drain(1);
    await drain();
  }

  async function look(): Promise<void> {
    await beat(queue, runtime);
    tell(await returnLeftovers(queue, runtime, settings), "workers that are gone");
    tell(await plain.look(), "the list of other writers");
    await tick(queue);
    if (performance.now() < pruneAt) return;
    await prune(queue);
    pruneAt = performance.now() + PRUNE_EVERY_MS;
  }

  function tell({ returned, dead }: Returned, from: string): void {
    if (returned + dead === 0) return;
    counters.returned.inc({ ending: "returned" }, returned);
    counters.returned.inc({ ending: "dead" }, dead);
    log("journal_returned", { runtime, from, returned, dead });
  }

  async function drain(): Promise<void> {
    while (!stopped.signal.aborted && performance.now() < lookAt) {
      unsure = true;
      const [taken] = await takeEntries(queue, runtime);
      unsure = false;
      if (!taken) return;
      // Told to stop while it was on its way: nobody has worked on it.
      if (stopped.signal.aborted) return giveBack(deps, taken);
      owed = await workOn(deps, taken);
      await settle(owed);
    }
  }

  async function settle(work: Settle): Promise<void> {
    const written = await work.settle();
    owed = null;
    if (written === "stale") {
      counters.staleSettles.inc();
      log("journal_stale_settle", { runtime, ending: work.ending });
      return;
    }
    counters.settles.inc({ ending: work.ending });
    if (work.ending === "superseded") {
      counters.skippedReconnected.inc();
      log("skipped_reconnected", { runtime });
    }
  }

  /** What stands in our list while nothing is in hand was given to us in an answer that was lost. */
  async function releaseUnknown(): Promise<void> {
    const held = await queue.redis.lrangeBuffer(queue.keys.processingOf(runtime), 0, -1);
    for (const bytes of held) await releaseEntry(queue, runtime, { bytes, entry: null });
    unsure = false;
  }

  async function run(): Promise<void> {
    let troubles = 0;
    while (!stopped.signal.aborted) {
      try {
        await turn();
        if (troubles > 0) log("journal_recovered", { runtime });
        troubles = 0;
        await signal.wait(Math.max(0, lookAt - performance.now()));
      } catch (error) {
        if (troubles === 0) log("journal_trouble", { runtime, error: errorText(error).slice(0, 300) });
        const pauseMs = Math.min(TROUBLE_MS.longest, TROUBLE_MS.first * 2 ** troubles);
        troubles = Math.min(troubles + 1, 10);
        await sleep(pauseMs, undefined, { signal: stopped.signal }).catch(() => {});
      }
    }
    // A Redis that is away keeps nobody from stopping: another worker brings back what is left.
    await end().catch((error) => log("journal_left_something", { runtime, error: errorText(error).slice(0, 300) }));
  }

  async function end(): Promise<void> {
    clearInterval(beating);
    if (owed) await settle(owed);
    if (unsure) await releaseUnknown();
    await leave(queue, runtime);
  }

  log("journal_worker_started", { runtime });
  const running = run();
  return {
    runtime,
    async stop() {
      stopped.abort();
      signal.close();
      await running;
      log("journal_worker_stopped", { runtime });
    },
  };
}

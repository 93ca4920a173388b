import { Gauge, type Registry } from "prom-client";
import { readDepths } from "@/lib/engine/durable/redis-work-queue";
import { log } from "@/lib/engine/log";
import { errorText } from "@/lib/engine/pg/error-text";
import type { JournalQueue } from "./journal-queue";

/**
 * Gauges of the journal's lists; the answered function reads them anew. A Redis that cannot be read leaves the depths out
 * and says so with `backstop_session_lifecycle_store_up 0`. Does not throw.
 */
export function createDepthGauges(queue: JournalQueue, registry: Registry): () => Promise<void> {
  const registers = [registry];
  const entries = new Gauge({
    name: "backstop_session_lifecycle_entries",
    help: "Entries of the session lifecycle journal by list",
    labelNames: ["list"],
    registers,
  });
  const letters = new Gauge({ name: "backstop_session_lifecycle_dead_letters", help: "Dead letters", registers });
  const up = new Gauge({
    name: "backstop_session_lifecycle_store_up",
    help: "1: the depths were read",
    registers,
  });
  return async () => {
    try {
      const depths = await readDepths(queue);
      const held = depths.runtimes.reduce((sum, { processing }) => sum + (processing ?? 0), 0);
      entries.set({ list: "pending" }, (depths.pending ?? 0) + (depths.retrying ?? 0));
      entries.set({ list: "processing" }, (depths.plainProcessing ?? 0) + held);
      letters.set(depths.deadLetter ?? 0);
      up.set(1);
    } catch (error) {
      log("metrics_unread", { store: "redis", error: errorText(error).slice(0, 300) });
      entries.reset();
      letters.remove();
      up.set(0);
    }
  };
}

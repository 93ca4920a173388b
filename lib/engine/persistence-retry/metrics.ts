import type pg from "pg";
import { Gauge } from "prom-client";
import { log } from "@/lib/engine/log";
import { errorText } from "@/lib/engine/pg/error-text";
import type { Counters } from "./counters";
import { JOB_STATES, readDepths } from "./depths";

/** However many ask, the tables are counted at most so often. */
const KEEP_MS = 2_000;

/**
 * Prometheus text of this process's counters and of the store's depths. A store that cannot be read leaves the depths
 * out and says so with `backstop_persistence_retry_store_up 0`; the counters are told all the same.
 */
export function createMetrics(
  pool: pg.Pool,
  { registry }: Counters,
  /** Reads the gauges of another queue; must not throw. */
  readOthers: () => Promise<void> = async () => {},
): { contentType: string; read(): Promise<string> } {
  const registers = [registry];
  const jobs = new Gauge({
    name: "backstop_persistence_retry_jobs",
    help: "Retry jobs by state on the database clock",
    labelNames: ["state"],
    registers,
  });
  const letters = new Gauge({ name: "backstop_persistence_job_dead_letters", help: "Active dead letters", registers });
  const up = new Gauge({ name: "backstop_persistence_retry_store_up", help: "1: the depths were read", registers });
  let until = 0;
  let reading: Promise<void> = Promise.resolve();

  async function readStore(): Promise<void> {
    try {
      const depths = await readDepths(pool);
      for (const state of JOB_STATES) jobs.set({ state }, depths[state]);
      letters.set(depths.dead);
      up.set(1);
    } catch (error) {
      log("metrics_unread", { error: errorText(error).slice(0, 300) });
      jobs.reset();
      letters.remove();
      up.set(0);
    }
  }

  return {
    contentType: registry.contentType,
    async read() {
      if (performance.now() >= until) {
        until = performance.now() + KEEP_MS;
        reading = Promise.all([readStore(), readOthers()]).then(() => {});
      }
      await reading;
      return registry.metrics();
    },
  };
}

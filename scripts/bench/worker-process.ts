import { engineConfig } from "@/lib/config-engine";
import { createPool } from "@/lib/db/pg";
import { WakeSignal } from "@/lib/engine/durable/wake-signal";
import { createCounters } from "@/lib/engine/persistence-retry/counters";
import { startWorker } from "@/lib/engine/persistence-retry/worker";
import { onGo } from "./on-go";

/** The product's worker in a process of its own, with the product's settings; it works once it is told to go. */
const { databaseUrl: url, retry: settings } = engineConfig();
const pool = createPool({ url, application: "engine-worker", max: 2, statementTimeoutMs: 8_000 });
await pool.query("select 1");
onGo(() => {
  const workerId = `bench-${process.pid}`;
  startWorker({ pool, settings, signal: new WakeSignal(1_024), counters: createCounters(), workerId });
});

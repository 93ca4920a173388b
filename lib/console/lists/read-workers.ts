import { POLLED_MS, sharedReading } from "@/lib/console/overview/shared-reading";
import type { Reading } from "@/lib/domain/queue";
import type { Workers } from "@/lib/domain/worker";
import type { Queue } from "@/lib/queues/queue";

const PATIENCE_MS = 2_500;

/** The workers of a queue, read once for all who look; null: it gives no leases. Never throws. */
export async function readWorkers({ name, workers }: Queue): Promise<Reading<Workers> | null> {
  if (!workers) return null;
  const { reading } = await sharedReading(`workers:${name}`, {
    freshMs: POLLED_MS,
    patienceMs: PATIENCE_MS,
    who: "Postgres",
    read: () => workers.readWorkers(),
  });
  return reading;
}

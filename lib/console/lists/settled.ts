import type { Reading } from "@/lib/domain/queue";
import { STORE_NAMES } from "@/lib/domain/shape-words";
import { failedReading } from "@/lib/queues/failed-reading";
import { logLine } from "@/lib/queues/log-line";
import type { Queue } from "@/lib/queues/queue";

/** A read of a queue as a value: what failed is named on its panel, logged, and takes nothing else with it. */
export async function settled<T>(queue: Queue, what: string, read: () => Promise<T>): Promise<Reading<T>> {
  try {
    return { kind: "read", value: await read() };
  } catch (error) {
    const failed = failedReading(error, STORE_NAMES[queue.shape]);
    const { code } = failed;
    logLine({ event: "list_unread", queue: queue.name, what, code, error: String(error) });
    return failed;
  }
}

/** The value, or another in its place where it is not worth a sentence of its own. */
export function valueOr<T, U>(reading: Reading<T>, other: U): T | U {
  return reading.kind === "read" ? reading.value : other;
}

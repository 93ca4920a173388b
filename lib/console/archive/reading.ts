import type { Reading } from "@/lib/domain/queue";
import { failedReading } from "@/lib/queues/failed-reading";
import { logLine } from "@/lib/queues/log-line";

/** A read of the console's own database as a value: what failed is named on its panel, logged, and takes nothing else with it. */
export async function archiveReading<T>(what: string, read: () => Promise<T>): Promise<Reading<T>> {
  try {
    return { kind: "read", value: await read() };
  } catch (error) {
    const failed = failedReading(error, "Postgres");
    logLine({ event: "archive_unread", what, code: failed.code, error: String(error) });
    return failed;
  }
}

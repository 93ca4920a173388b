import type { Pool } from "pg";
import { z } from "zod";
import { many, ms, type Sql } from "@/lib/db/pg";
import { Impact, type ImpactCount } from "@/lib/domain/impact";
import { LATE_MS } from "@/lib/domain/late";
import { failedReading, NotReadable } from "@/lib/queues/failed-reading";
import type { ImpactReader } from "@/lib/queues/queue";
import { type Features, NO_IMPACTS, notReadable, readFeatures } from "./features";
import { impactOf } from "./jobs-sql";

/**
 * $1 ms from which a write waits for too long. One pass over the rows, as the depths are; the age is since the work was
 * queued. A row under a lease that has not ended is being worked and does not wait.
 */
const impactsSql = (features: Features): Sql => ({
  name: "persistence_retry_impacts",
  text: `select ${impactOf(features)} as impact, count(*)::int as waiting,
      count(*) filter (where j.created_at < statement_timestamp() - $1::int * interval '1 millisecond')::int as late,
      greatest(0, ${ms("statement_timestamp()")} - ${ms("min(j.created_at)")}) as oldest_ms
    from persistence_retry_jobs j
    where j.lease_expires_at is null or j.lease_expires_at <= statement_timestamp()
    group by 1`,
});

const Row = z
  .object({ impact: Impact, waiting: z.number(), late: z.number(), oldest_ms: z.number() })
  .transform(({ impact, waiting, late, oldest_ms }): ImpactCount => ({ impact, waiting, late, oldestMs: oldest_ms }));

/** Waiting rows by their session impact, on the database clock. */
export function impactReader(pool: Pool): ImpactReader {
  return {
    async readImpacts() {
      try {
        const features = await readFeatures(pool);
        if (!features.jobs) throw new NotReadable(notReadable("persistence_retry_jobs"));
        if (!features.impacts) return { kind: "not_configured", sentence: NO_IMPACTS };
        return { kind: "read", value: await many(pool, impactsSql(features), Row, [LATE_MS]) };
      } catch (error) {
        return failedReading(error, "Postgres");
      }
    },
  };
}

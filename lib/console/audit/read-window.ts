import type { Pool } from "pg";
import { z } from "zod";
import { many, ms, type Sql } from "@/lib/db/pg";

/** What somebody did within a stretch of time, as the audit has it. */
export type Done = z.output<typeof Row>;

/** $1 actions · $2 from (ms) · $3 to (ms) · $4 limit. Ordered by time. The reason of a requeue stands with its intent. */
const READ: Sql = {
  name: "audit_read_window",
  text: `select ${ms("a.at")} as at_ms, a.action, a.actor_name, a.target, a.outcome, a.detail,
      coalesce(a.reason, (select i.reason from backstop.audit i
        where i.operation_id = a.operation_id and i.phase = 'intent' and i.action = a.action limit 1)) as reason
    from backstop.audit a
    where a.phase = 'outcome' and a.action = any($1::text[]) and a.at >= to_timestamp($2::float8 / 1000)
      and a.at < to_timestamp($3::float8 / 1000)
    order by a.at, a.audit_id limit $4`,
};
const Row = z
  .object({
    at_ms: z.number(),
    action: z.string(),
    actor_name: z.string(),
    target: z.record(z.string(), z.unknown()),
    reason: z.string().nullable(),
    outcome: z.string().nullable(),
    detail: z.record(z.string(), z.unknown()).nullable(),
  })
  .transform(({ at_ms, actor_name, ...row }) => ({ atMs: at_ms, actor: actor_name, ...row }));

/** Outcomes of some actions within a stretch of time (ms since 1970), in order, at most `limit`. */
export function readDone(
  own: Pool,
  actions: string[],
  span: { fromMs: number; toMs: number },
  limit: number,
): Promise<Done[]> {
  return many(own, READ, Row, [actions, span.fromMs, span.toMs, limit]);
}

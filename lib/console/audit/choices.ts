import type { Pool } from "pg";
import { z } from "zod";
import { many } from "@/lib/db/pg";
import type { AuditFilter } from "@/lib/domain/audit-entry";
import { auditFilterSql } from "./filter-sql";

/** What the audit can be filtered by: those who are in it, under the name of their last row, and what was done. */
export type AuditChoices = { actors: { id: string; name: string }[]; actions: string[] };

/** From one value of an index to the next one: as many steps as there are values, however many rows. At most 500. */
const steps = (column: string) => `with recursive each (value, n) as (
    (select ${column}, 1 from backstop.audit order by ${column} limit 1)
    union all
    select (select a.${column} from backstop.audit a where a.${column} > each.value order by a.${column} limit 1), n + 1
      from each where each.value is not null and n < 500)`;

// Who is limited to queues is told of what their own rows hold, and no more.
const actors = (where: string) => `${steps("actor_id")} select each.value as id,
      (select a.actor_name from backstop.audit a where a.actor_id = each.value order by a.at desc, a.audit_id desc limit 1) as name
    from each where each.value is not null
      and exists (select from backstop.audit a where a.actor_id = each.value and ${where})`;
const actions = (
  where: string,
) => `${steps("action")} select each.value as action from each where each.value is not null
      and exists (select from backstop.audit a where a.action = each.value and ${where})
    order by 1`;

/** Those that rows `within` can be filtered by. */
export async function readAuditChoices(own: Pool, within?: AuditFilter["within"]): Promise<AuditChoices> {
  const { where, values, named } = auditFilterSql({ within });
  const [who, what] = await Promise.all([
    many(own, { name: named("actors"), text: actors(where) }, z.object({ id: z.string(), name: z.string() }), values),
    many(own, { name: named("actions"), text: actions(where) }, z.object({ action: z.string() }), values),
  ]);
  return {
    actors: who.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    actions: what.map(({ action }) => action),
  };
}

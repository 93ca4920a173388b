import type { Pool } from "pg";
import { z } from "zod";
import { many, type Sql } from "@/lib/db/pg";

/** What the audit can be filtered by: those who are in it, under the name of their last row, and what was done. */
export type AuditChoices = { actors: { id: string; name: string }[]; actions: string[] };

/** From one value of an index to the next one: as many steps as there are values, however many rows. At most 500. */
const steps = (column: string) => `with recursive each (value, n) as (
    (select ${column}, 1 from backstop.audit order by ${column} limit 1)
    union all
    select (select a.${column} from backstop.audit a where a.${column} > each.value order by a.${column} limit 1), n + 1
      from each where each.value is not null and n < 500)`;

const ACTORS: Sql = {
  name: "audit_actors",
  text: `${steps("actor_id")} select each.value as id,
      (select a.actor_name from backstop.audit a where a.actor_id = each.value order by a.at desc, a.audit_id desc limit 1) as name
    from each where each.value is not null`,
};
const ACTIONS: Sql = {
  name: "audit_actions",
  text: `${steps("action")} select value as action from each where value is not null`,
};

export async function readAuditChoices(own: Pool): Promise<AuditChoices> {
  const [actors, actions] = await Promise.all([
    many(own, ACTORS, z.object({ id: z.string(), name: z.string() })),
    many(own, ACTIONS, z.object({ action: z.string() })),
  ]);
  return {
    actors: actors.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    actions: actions.map(({ action }) => action),
  };
}

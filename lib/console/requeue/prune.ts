import type { Pool } from "pg";
import { execute, type Sql } from "@/lib/db/pg";

const PRUNE_PLANS: Sql = {
  name: "operations_prune_unused",
  text: `delete from backstop.operations where operation_id in (
    select operation_id from backstop.operations where state = 'planned' and planned_at < statement_timestamp() - interval '24 hours' limit 1000)`,
};

/** Plans that nobody confirmed go after 24 h. What was intended stays for ever. */
export function pruneUnusedPlans(own: Pool): Promise<number> {
  return execute(own, PRUNE_PLANS);
}

import { execute, type Queryable, type Sql } from "@/lib/db/pg";

// The engine's role owns the ledger, and an owner may take a right from itself: it stays gone until it is given back.
const REVOKE: Sql = { name: "demo_revoke_right", text: "revoke insert on reward_ledger from current_user" };
const GRANT: Sql = { name: "demo_grant_right", text: "grant insert on reward_ledger to current_user" };

/** From the commit on, no combat_rewards can be written. */
export async function revokeRight(db: Queryable): Promise<void> {
  await execute(db, REVOKE);
}

/** Gives it back; harmless where it was not gone. */
export async function grantRight(db: Queryable): Promise<void> {
  await execute(db, GRANT);
}

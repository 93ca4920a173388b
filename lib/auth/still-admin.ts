import type { By } from "@/lib/auth/by";
import { execute, type Queryable, type Sql } from "@/lib/db/pg";

/** $1 user */
const STILL_ADMIN: Sql = {
  name: "user_still_admin",
  text: "select from backstop.users where user_id = $1 and role = 'admin' and disabled_at is null",
};

/**
 * Whether who asked may look after accounts now: an enabled admin, or the command line, which has no account. To be asked
 * under `LOCK_USERS`: while an action hashed and stood in the line, somebody may have taken its admin's rights away.
 */
export async function isStillAdmin(db: Queryable, { actor }: By): Promise<boolean> {
  return actor.role === "system" || (await execute(db, STILL_ADMIN, [actor.id])) === 1;
}

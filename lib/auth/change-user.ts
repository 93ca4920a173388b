import type pg from "pg";
import { z } from "zod";
import type { By } from "@/lib/auth/by";
import type { Rights } from "@/lib/auth/users";
import { recordAudit } from "@/lib/console/audit/record";
import { execute, maybe, type Sql, transaction } from "@/lib/db/pg";

/** What can be done to an account. Each but `enable` ends its sessions; a new password and `revoke` end its API tokens, too. */
export type UserChange =
  | { verb: "rights"; rights: Required<Rights> }
  | { verb: "disable" }
  | { verb: "enable" }
  /** `passwordHash`: hashed before, since that takes a quarter second: not under a lock. */
  | { verb: "reset"; passwordHash: string }
  | { verb: "revoke" }
  /** By the user themselves. */
  | { verb: "password"; passwordHash: string };

export type UserChanged =
  | { kind: "done"; username: string; sessions: number }
  | { kind: "not_found" }
  /** Nobody could let anybody in any more. */
  | { kind: "last_admin" };

/** Changes of accounts come one after the other: two admins who demote each other must not both succeed. */
export const LOCK_USERS: Sql = { name: "users_lock", text: "select pg_advisory_xact_lock(hashtext('backstop.users'))" };

/**
 * @param set what is changed of the account $1
 * @param loses whether an admin would no longer be one, or no longer sign in
 */
const changing = (name: string, set: string, loses: string): Sql => ({
  name,
  text: `with asked as (
  select u.user_id, u.username, ${loses} and u.role = 'admin' and u.disabled_at is null and not exists (
    select from backstop.users o where o.user_id <> u.user_id and o.role = 'admin' and o.disabled_at is null
  ) as last_admin
  from backstop.users u where u.user_id = $1
), changed as (
  update backstop.users u set ${set} from asked where u.user_id = asked.user_id and not asked.last_admin
)
select username, last_admin from asked`,
});

const STATEMENTS: Record<UserChange["verb"], Sql> = {
  /** $1 user, $2 role, $3 reveal, $4 queues */
  rights: changing("user_rights", "role = $2, reveal = $3, queues = $4", "$2 <> 'admin'"),
  /** $1 user */
  disable: changing("user_disable", "disabled_at = coalesce(u.disabled_at, clock_timestamp())", "true"),
  /** $1 user */
  enable: changing("user_enable", "disabled_at = null", "false"),
  /** $1 user, $2 password hash */
  reset: changing("user_reset", "password_hash = $2", "false"),
  /** $1 user, $2 password hash */
  password: changing("user_password", "password_hash = $2", "false"),
  /** $1 user */
  revoke: changing("user_revoke", "role = u.role", "false"),
};
const Row = z.object({ username: z.string(), last_admin: z.boolean() });

/** $1 user */
const END_SESSIONS: Sql = { name: "user_end_sessions", text: "delete from backstop.sessions where user_id = $1" };
/** $1 user */
const END_TOKENS: Sql = {
  name: "user_end_tokens",
  text: "update backstop.api_tokens set revoked_at = clock_timestamp() where user_id = $1 and revoked_at is null",
};

/**
 * Changes one account, ends what its old state has let in, and writes the line of the audit: all or nothing. The last
 * admin who can sign in stays one. Throws Postgres's 23514 for a limit to queues of an admin.
 */
export function changeUser(pool: pg.Pool, userId: string, change: UserChange, by: By): Promise<UserChanged> {
  return transaction(pool, async (client) => {
    await execute(client, LOCK_USERS);
    const asked = await maybe(client, STATEMENTS[change.verb], Row, [userId, ...valuesOf(change)]);
    if (!asked) return { kind: "not_found" };
    const { username } = asked;
    const row = {
      action: change.verb === "password" ? "change_password" : `user_${change.verb}`,
      target: { userId, username },
      ...by,
    };
    if (asked.last_admin) {
      await recordAudit(client, { ...row, phase: "refusal", outcome: "last_admin" });
      return { kind: "last_admin" };
    }
    const sessions = change.verb === "enable" ? 0 : await execute(client, END_SESSIONS, [userId]);
    const endsTokens = change.verb === "reset" || change.verb === "password" || change.verb === "revoke";
    const tokens = endsTokens ? await execute(client, END_TOKENS, [userId]) : 0;
    const detail = { ...(change.verb === "rights" ? change.rights : {}), sessions, tokens };
    await recordAudit(client, { ...row, phase: "outcome", outcome: "done", detail });
    return { kind: "done", username, sessions };
  });
}

function valuesOf(change: UserChange): unknown[] {
  switch (change.verb) {
    case "rights":
      return [change.rights.role, change.rights.reveal, change.rights.queues];
    case "reset":
    case "password":
      return [change.passwordHash];
    case "disable":
    case "enable":
    case "revoke":
      return [];
    default:
      return change satisfies never;
  }
}

import type pg from "pg";
import { z } from "zod";
import type { By } from "@/lib/auth/by";
import { isSessionOf, startSession } from "@/lib/auth/session";
import { isStillAdmin } from "@/lib/auth/still-admin";
import { eachOnce, type Rights } from "@/lib/auth/users";
import { recordAudit } from "@/lib/console/audit/record";
import { execute, maybe, type Queryable, type Sql, transaction } from "@/lib/db/pg";

/**
 * What an admin can do to an account. Each but `enable` ends its sessions; `disable`, `reset` and `revoke` end its API
 * tokens, too.
 */
export type UserChange =
  | { verb: "rights"; rights: Required<Rights> }
  | { verb: "disable" }
  | { verb: "enable" }
  /** `passwordHash`: hashed before, since that takes a quarter second: not under a lock. */
  | { verb: "reset"; passwordHash: string }
  | { verb: "revoke" };

export type UserChanged =
  /** `token`: of a new session, for who changed themselves. */
  | { kind: "done"; username: string; sessions: number; token?: string }
  /** Who asked is no admin any more, or may not sign in. */
  | { kind: "not_admin" }
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

/** $1 user */
const NAME: Sql = { name: "user_name", text: "select username from backstop.users where user_id = $1" };

/** Ends what an account's old state has let in; gives how much. */
export async function endAccess(
  db: Queryable,
  userId: string,
  ends: { tokens: boolean },
): Promise<{ sessions: number; tokens: number }> {
  const sessions = await execute(db, END_SESSIONS, [userId]);
  return { sessions, tokens: ends.tokens ? await execute(db, END_TOKENS, [userId]) : 0 };
}

/**
 * Changes one account, ends what its old state has let in, and writes the line of the audit: all or nothing. The last
 * admin who can sign in stays one, and who asks is one when it is done. Throws Postgres's 23514 for a limit to queues
 * of an admin.
 * @param ownToken of the session that asks, where it is the account's own: it goes on in a new one if it lives still
 */
export function changeUser(
  pool: pg.Pool,
  userId: string,
  change: UserChange,
  by: By,
  ownToken?: string,
): Promise<UserChanged> {
  return transaction(pool, async (client) => {
    await execute(client, LOCK_USERS);
    const row = { action: `user_${change.verb}`, ...by };
    if (!(await isStillAdmin(client, by))) {
      const named = await maybe(client, NAME, Row.pick({ username: true }), [userId]);
      const target = { userId, ...named };
      await recordAudit(client, { ...row, target, phase: "refusal", outcome: "needs_admin" });
      return { kind: "not_admin" };
    }
    const goesOn = await isSessionOf(client, ownToken, userId);
    const asked = await maybe(client, STATEMENTS[change.verb], Row, [userId, ...valuesOf(change)]);
    if (!asked) return { kind: "not_found" };
    const { username } = asked;
    const target = { userId, username };
    if (asked.last_admin) {
      await recordAudit(client, { ...row, target, phase: "refusal", outcome: "last_admin" });
      return { kind: "last_admin" };
    }
    const ended =
      change.verb === "enable"
        ? { sessions: 0, tokens: 0 }
        : await endAccess(client, userId, { tokens: change.verb !== "rights" });
    const renewed = goesOn && change.verb !== "enable" && change.verb !== "disable";
    const token = renewed ? await startSession(client, userId) : undefined;
    const detail = { ...(change.verb === "rights" ? change.rights : {}), ...ended };
    await recordAudit(client, { ...row, target, phase: "outcome", outcome: "done", detail });
    return { kind: "done", username, sessions: ended.sessions, ...(token === undefined ? {} : { token }) };
  });
}

function valuesOf(change: UserChange): unknown[] {
  switch (change.verb) {
    case "rights":
      return [change.rights.role, change.rights.reveal, eachOnce(change.rights.queues)];
    case "reset":
      return [change.passwordHash];
    case "disable":
    case "enable":
    case "revoke":
      return [];
    default:
      return change satisfies never;
  }
}

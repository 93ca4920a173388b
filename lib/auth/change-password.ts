import type pg from "pg";
import type { By } from "@/lib/auth/by";
import { endAccess, LOCK_USERS } from "@/lib/auth/change-user";
import { hashPassword, verifyPassword } from "@/lib/auth/password";
import { isSessionOf, startSession } from "@/lib/auth/session";
import { countTry, forgetTries } from "@/lib/auth/throttle";
import { findForSignIn } from "@/lib/auth/users";
import { recordAudit } from "@/lib/console/audit/record";
import { execute, type Sql, transaction } from "@/lib/db/pg";

/** `token`: of the session that asks. */
export type OwnPassword = {
  userId: string;
  username: string;
  current: string;
  next: string;
  token: string | undefined;
};

export type PasswordChanged =
  /** Every session has ended; `token` is that of a new one. */
  | { kind: "changed"; token: string }
  | { kind: "no_match"; triesLeft: number }
  /** The session that asked was ended while the password was compared. */
  | { kind: "signed_out" }
  | { kind: "wait"; waitMs: number };

/** $1 user, $2 the password hash that matched, $3 the new one */
const SET: Sql = {
  name: "user_own_password",
  text: `update backstop.users set password_hash = $3
where user_id = $1 and password_hash = $2 and disabled_at is null`,
};

/** A user's own new password, for who knows the present one; tries are counted as those to sign in. */
export async function changeOwnPassword(pool: pg.Pool, own: OwnPassword, by: By): Promise<PasswordChanged> {
  const { userId, username } = own;
  const address = by.address ?? "unknown";
  const counted = await countTry(pool, username, address);
  if (counted.kind === "wait") return counted;
  const noMatch: PasswordChanged = { kind: "no_match", triesLeft: counted.triesLeft };
  const user = await findForSignIn(pool, username);
  const matches = await verifyPassword(own.current, user?.passwordHash ?? null);
  if (!user || !matches || user.userId !== userId) return noMatch;
  const passwordHash = await hashPassword(own.next);
  return transaction(pool, async (client): Promise<PasswordChanged> => {
    await execute(client, LOCK_USERS);
    // Comparing and hashing take half a second, in which an admin may have reset, revoked or disabled: theirs stands.
    if (!(await isSessionOf(client, own.token, userId))) return { kind: "signed_out" };
    if ((await execute(client, SET, [userId, user.passwordHash, passwordHash])) === 0) return noMatch;
    const detail = await endAccess(client, userId, { tokens: true });
    await forgetTries(client, username, address);
    const token = await startSession(client, userId);
    const target = { userId, username };
    await recordAudit(client, { action: "change_password", target, ...by, phase: "outcome", outcome: "done", detail });
    return { kind: "changed", token };
  });
}

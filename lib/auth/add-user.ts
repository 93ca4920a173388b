import type pg from "pg";
import type { By } from "@/lib/auth/by";
import { LOCK_USERS } from "@/lib/auth/change-user";
import { hashPassword, newPassword } from "@/lib/auth/password";
import { isStillAdmin } from "@/lib/auth/still-admin";
import { eachOnce, insertUser, normalUsername, type Rights } from "@/lib/auth/users";
import { recordAudit } from "@/lib/console/audit/record";
import { execute, sqlState, transaction } from "@/lib/db/pg";

export type NewAccountOf = { username: string; displayName: string } & Rights;

export type UserAdded =
  /** `password`: made here, and told this once. */
  | { kind: "added"; userId: string; password: string }
  /** The username is. */
  | { kind: "taken" }
  /** Who asked is no admin any more, or may not sign in. */
  | { kind: "not_admin" };

/** Makes an account with a first password, and its line of the audit, both or neither. */
export async function addUser(pool: pg.Pool, account: NewAccountOf, by: By): Promise<UserAdded> {
  const password = newPassword();
  const passwordHash = await hashPassword(password);
  try {
    return await transaction(pool, async (client): Promise<UserAdded> => {
      await execute(client, LOCK_USERS);
      const { role, reveal = false } = account;
      const queues = eachOnce(account.queues ?? null);
      const username = normalUsername(account.username);
      const row = { action: "user_create", detail: { role, reveal, queues }, ...by };
      if (!(await isStillAdmin(client, by))) {
        await recordAudit(client, { ...row, phase: "refusal", target: { username }, outcome: "needs_admin" });
        return { kind: "not_admin" };
      }
      const userId = await insertUser(client, { ...account, passwordHash });
      await recordAudit(client, { ...row, phase: "outcome", target: { userId, username }, outcome: "added" });
      return { kind: "added", userId, password };
    });
  } catch (error) {
    if (sqlState(error) === "23505") return { kind: "taken" };
    throw error;
  }
}

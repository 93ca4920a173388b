import type pg from "pg";
import type { By } from "@/lib/auth/by";
import { LOCK_USERS } from "@/lib/auth/change-user";
import { hashPassword, newPassword } from "@/lib/auth/password";
import { insertUser, normalUsername, type Rights } from "@/lib/auth/users";
import { recordAudit } from "@/lib/console/audit/record";
import { execute, sqlState, transaction } from "@/lib/db/pg";

export type NewAccountOf = { username: string; displayName: string } & Rights;

/** `password`: made here, and told this once. */
export type UserAdded = { kind: "added"; userId: string; password: string } | { kind: "taken" };

/** Makes an account with a first password, and its line of the audit, both or neither. `taken`: the username is. */
export async function addUser(pool: pg.Pool, account: NewAccountOf, by: By): Promise<UserAdded> {
  const password = newPassword();
  const passwordHash = await hashPassword(password);
  try {
    const userId = await transaction(pool, async (client) => {
      await execute(client, LOCK_USERS);
      const made = await insertUser(client, { ...account, passwordHash });
      const { role, reveal = false, queues = null } = account;
      const target = { userId: made, username: normalUsername(account.username) };
      const detail = { role, reveal, queues };
      await recordAudit(client, { phase: "outcome", action: "user_create", target, detail, outcome: "added", ...by });
      return made;
    });
    return { kind: "added", userId, password };
  } catch (error) {
    if (sqlState(error) === "23505") return { kind: "taken" };
    throw error;
  }
}

import type pg from "pg";
import type { By } from "@/lib/auth/by";
import { changeUser } from "@/lib/auth/change-user";
import { hashPassword, verifyPassword } from "@/lib/auth/password";
import { startSession } from "@/lib/auth/session";
import { countTry, forgetTries } from "@/lib/auth/throttle";
import { findForSignIn } from "@/lib/auth/users";

export type OwnPassword = { userId: string; username: string; current: string; next: string };

export type PasswordChanged =
  /** Every session has ended; `token` is that of a new one. */
  { kind: "changed"; token: string } | { kind: "no_match"; triesLeft: number } | { kind: "wait"; waitMs: number };

/** A user's own new password, for who knows the present one; tries are counted as those to sign in. */
export async function changeOwnPassword(pool: pg.Pool, own: OwnPassword, by: By): Promise<PasswordChanged> {
  const address = by.address ?? "unknown";
  const counted = await countTry(pool, own.username, address);
  if (counted.kind === "wait") return counted;
  const user = await findForSignIn(pool, own.username);
  const matches = await verifyPassword(own.current, user?.passwordHash ?? null);
  if (!user || !matches || user.userId !== own.userId) return { kind: "no_match", triesLeft: counted.triesLeft };
  const passwordHash = await hashPassword(own.next);
  await changeUser(pool, own.userId, { verb: "password", passwordHash }, by);
  await forgetTries(pool, own.username, address);
  return { kind: "changed", token: await startSession(pool, own.userId) };
}

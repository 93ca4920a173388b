import type pg from "pg";
import { createGate } from "@/lib/auth/gate";
import { verifyPassword } from "@/lib/auth/password";
import { endSession, startSession } from "@/lib/auth/session";
import { countTry, forgetTries } from "@/lib/auth/throttle";
import { findForSignIn, normalUsername } from "@/lib/auth/users";
import { recordAudit } from "@/lib/console/audit/record";
import { execute, type Sql, transaction } from "@/lib/db/pg";

export type Attempt = {
  username: string;
  password: string;
  address: string;
  requestId: string;
  /** The token that the browser had before: its session ends. */
  oldToken?: string | undefined;
};

export type SignedIn =
  | { kind: "signed_in"; token: string }
  /** No such user, a disabled one, or another password: the same to whoever asks. */
  | { kind: "no_match"; triesLeft: number }
  | { kind: "wait"; waitMs: number };

/** $1 user, $2 the password hash that matched. The row is held until the session stands: a reset comes before or after. */
const STILL: Sql = {
  name: "sign_in_still",
  text: "select from backstop.users where user_id = $1 and password_hash = $2 and disabled_at is null for share",
};

/** However many try at once, sign-ins hold two connections at most; the desk keeps the rest. */
const door = createGate({ concurrent: 2, waiting: 32 });

/** One try to sign in. A sign-in makes a new session, whatever the browser had before. Throws `GateFull` in a flood. */
export function signIn(pool: pg.Pool, attempt: Attempt): Promise<SignedIn> {
  return door(async () => {
    const { password, address, requestId, oldToken } = attempt;
    const username = normalUsername(attempt.username);
    const counted = await countTry(pool, username, address);
    if (counted.kind === "wait") return counted;
    const user = await findForSignIn(pool, username);
    const matches = await verifyPassword(password, user?.passwordHash ?? null);
    if (!user || !matches || user.disabled) return { kind: "no_match", triesLeft: counted.triesLeft };
    const token = await transaction(pool, async (client) => {
      // Comparing takes a quarter second, in which the password may have been reset and every session ended.
      if ((await execute(client, STILL, [user.userId, user.passwordHash])) === 0) return null;
      await forgetTries(client, username, address);
      await endSession(client, oldToken);
      const actor = { id: user.userId, name: user.displayName, role: user.role };
      const target = { userId: user.userId };
      await recordAudit(client, { phase: "outcome", action: "sign_in", actor, target, address, requestId });
      return startSession(client, user.userId);
    });
    return token === null ? { kind: "no_match", triesLeft: counted.triesLeft } : { kind: "signed_in", token };
  });
}

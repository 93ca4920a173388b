import pg from "pg";
import { z } from "zod";
import { hashPassword } from "@/lib/auth/password";
import { hashToken, isToken, newToken } from "@/lib/auth/token";
import { insertUser, type NewUser } from "@/lib/auth/users";
import { type Actor, recordAudit } from "@/lib/console/audit/record";
import { execute, maybe, one, type Queryable, type Sql, transaction } from "@/lib/db/pg";

export const SETUP_MINUTES = 60;

/** $1 token hash */
const ISSUE: Sql = {
  name: "setup_issue",
  text: `insert into backstop.setup_tokens (singleton, token_hash, expires_at)
select true, $1, statement_timestamp() + interval '${SETUP_MINUTES} minutes'
where not exists (select from backstop.users)
on conflict (singleton) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at`,
};

/** $1 token hash */
const LOOK: Sql = {
  name: "setup_look",
  text: "select token_hash = $1 as same, expires_at > statement_timestamp() as live from backstop.setup_tokens",
};
/** As `LOOK`; the row's lock lets racers in one after the other. */
const LOCK: Sql = { name: "setup_lock", text: `${LOOK.text} for update` };
const Row = z.object({ same: z.boolean(), live: z.boolean() });

const DONE: Sql = { name: "setup_done", text: "select exists (select from backstop.users) as done" };
const SPEND: Sql = { name: "setup_spend", text: "delete from backstop.setup_tokens" };

/**
 * Makes the token of the set-up link and forgets the one before; null once there is a user. For the starter: one
 * connection of its own, closed again.
 */
export async function issueSetupToken(ownUrl: string): Promise<string | null> {
  const client = new pg.Client({ connectionString: ownUrl, application_name: "backstop-setup" });
  await client.connect();
  try {
    const token = newToken();
    return (await execute(client, ISSUE, [hashToken(token)])) === 1 ? token : null;
  } finally {
    await client.end();
  }
}

/** Whether there is a user already, so that set-up is over. */
export async function isSetUp(db: Queryable): Promise<boolean> {
  return (await one(db, DONE, z.object({ done: z.boolean() }))).done;
}

export type Redeemed =
  | { kind: "made"; userId: string }
  /** Somebody has set it up: earlier, or just now. */
  | { kind: "already_set_up" }
  /** Not the token of the last start. */
  | { kind: "wrong_token" }
  | { kind: "expired" };

/**
 * Spends the token and makes the first admin, in one transaction: of two racers with the same token one wins, and the
 * other learns it. Nothing is hashed for who has no token.
 */
export async function redeemSetupToken(
  pool: pg.Pool,
  token: string,
  admin: Omit<NewUser, "role">,
  from: { address?: string | null; requestId?: string | null } = {},
): Promise<Redeemed> {
  const refused = await judge(pool, LOOK, token);
  if (refused) return refused;
  const passwordHash = await hashPassword(admin.password);
  return transaction(pool, async (client) => {
    const lost = await judge(client, LOCK, token);
    if (lost) return lost;
    const { username, displayName } = admin;
    const userId = await insertUser(client, { username, displayName, role: "admin", passwordHash });
    await execute(client, SPEND);
    const actor: Actor = { id: userId, name: displayName, role: "admin" };
    await recordAudit(client, {
      phase: "outcome",
      action: "set_up",
      actor,
      target: { userId },
      outcome: "made",
      ...from,
    });
    return { kind: "made", userId };
  });
}

async function judge(db: Queryable, sql: Sql, token: string): Promise<Redeemed | null> {
  const row = isToken(token) ? await maybe(db, sql, Row, [hashToken(token)]) : null;
  // Asked once the lock is held: a racer's user is visible by now.
  if (await isSetUp(db)) return { kind: "already_set_up" };
  if (!row?.same) return { kind: "wrong_token" };
  return row.live ? null : { kind: "expired" };
}

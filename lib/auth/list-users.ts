import { z } from "zod";
import { ROLES, type Role } from "@/lib/auth/role";
import { IDLE_MINUTES } from "@/lib/auth/session";
import { many, ms, type Queryable, type Sql } from "@/lib/db/pg";

/** Accounts that a list tells; a desk has fewer. */
export const USERS_MAX = 500;

/** One account, for those who look after accounts. Times in ms since 1970. */
export type UserAccount = {
  userId: string;
  username: string;
  displayName: string;
  role: Role;
  /** As it was given; admins may reveal anyway. */
  reveal: boolean;
  queues: string[] | null;
  createdMs: number;
  disabledMs: number | null;
  /** Sessions that are neither over nor idle, and when one of them was last used. */
  sessions: number;
  seenMs: number | null;
  /** Living API tokens. */
  tokens: number;
};

/** $1 limit */
const LIST: Sql = {
  name: "user_list",
  text: `select u.user_id, u.username, u.display_name, u.role, u.reveal, u.queues, ${ms("u.created_at")} as created_ms,
  ${ms("u.disabled_at")} as disabled_ms, s.sessions, ${ms("s.seen_at")} as seen_ms,
  (select count(*)::int from backstop.api_tokens t where t.user_id = u.user_id and t.revoked_at is null
    and t.expires_at > statement_timestamp()) as tokens
from backstop.users u left join lateral (
  select count(*)::int as sessions, max(last_seen_at) as seen_at from backstop.sessions
  where user_id = u.user_id and expires_at > statement_timestamp()
    and last_seen_at > statement_timestamp() - interval '${IDLE_MINUTES} minutes'
) s on true
order by u.disabled_at is not null, u.username limit $1`,
};
const Row = z
  .object({
    user_id: z.uuid(),
    username: z.string(),
    display_name: z.string(),
    role: z.enum(ROLES),
    reveal: z.boolean(),
    queues: z.array(z.string()).nullable(),
    created_ms: z.number(),
    disabled_ms: z.number().nullable(),
    sessions: z.number(),
    seen_ms: z.number().nullable(),
    tokens: z.number(),
  })
  .transform(
    (row): UserAccount => ({
      userId: row.user_id,
      username: row.username,
      displayName: row.display_name,
      role: row.role,
      reveal: row.reveal,
      queues: row.queues,
      createdMs: row.created_ms,
      disabledMs: row.disabled_ms,
      sessions: row.sessions,
      seenMs: row.seen_ms,
      tokens: row.tokens,
    }),
  );

/** The accounts of this desk, those that may sign in first, at most `USERS_MAX`. */
export function listUsers(db: Queryable): Promise<UserAccount[]> {
  return many(db, LIST, Row, [USERS_MAX]);
}

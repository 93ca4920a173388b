import { z } from "zod";
import type { Who } from "@/lib/auth/role";
import { IDLE_MINUTES } from "@/lib/auth/session";
import { WhoRow, whoOf } from "@/lib/auth/who-row";
import { many, ms, type Queryable, type Sql } from "@/lib/db/pg";

/** Accounts that a list tells; a desk has fewer. */
export const USERS_MAX = 500;

/** One account, for those who look after accounts. Times in ms since 1970. */
export type UserAccount = Omit<Who, "reveal"> & {
  /** As it was given; admins may reveal anyway. */
  reveal: boolean;
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
const Row = WhoRow.extend({
  created_ms: z.number(),
  disabled_ms: z.number().nullable(),
  sessions: z.number(),
  seen_ms: z.number().nullable(),
  tokens: z.number(),
}).transform(
  (row): UserAccount => ({
    ...whoOf(row),
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

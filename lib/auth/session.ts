import { asReader, type Who } from "@/lib/auth/role";
import { hashToken, isToken, newToken } from "@/lib/auth/token";
import { WhoRow, whoOf } from "@/lib/auth/who-row";
import { execute, maybe, type Queryable, type Sql } from "@/lib/db/pg";

/** A session ends this long after sign-in, whatever happens. */
export const ABSOLUTE_MINUTES = 12 * 60;
/** A session ends this long after its last page or action. Polling does not prolong it. */
export const IDLE_MINUTES = 60;

/** $1 token hash, $2 user. Rows that are over go with the next sign-in of their user. */
const START: Sql = {
  name: "session_start",
  text: `with over as (
  delete from backstop.sessions
  where user_id = $2 and (expires_at <= statement_timestamp()
     or last_seen_at <= statement_timestamp() - interval '${IDLE_MINUTES} minutes')
)
insert into backstop.sessions (token_hash, user_id, expires_at)
values ($1, $2, statement_timestamp() + interval '${ABSOLUTE_MINUTES} minutes')`,
};

/** $1 token hash, $2 whether this counts as use. The last use is written at most once a minute. */
const FIND: Sql = {
  name: "session_find",
  text: `with live as (
  select s.token_hash, s.last_seen_at, u.user_id, u.username, u.display_name, u.role,
    u.role = 'admin' or (u.role = 'operator' and u.reveal) as reveal, u.queues
  from backstop.sessions s join backstop.users u on u.user_id = s.user_id
  where s.token_hash = $1 and u.disabled_at is null
    and s.expires_at > statement_timestamp()
    and s.last_seen_at > statement_timestamp() - interval '${IDLE_MINUTES} minutes'
), used as (
  update backstop.sessions s set last_seen_at = clock_timestamp() from live
  where s.token_hash = live.token_hash and $2::boolean
    and live.last_seen_at < statement_timestamp() - interval '1 minute'
)
select user_id, username, display_name, role, reveal, queues from live`,
};
const Row = WhoRow.transform(whoOf);

/** $1 token hash, $2 user */
const IS: Sql = { name: "session_is", text: "select from backstop.sessions where token_hash = $1 and user_id = $2" };
/** $1 token hash */
const END: Sql = { name: "session_end", text: "delete from backstop.sessions where token_hash = $1" };
/** $1 user */
const END_ALL: Sql = { name: "session_end_all", text: "delete from backstop.sessions where user_id = $1" };

/** Starts a session and gives its token, which is kept nowhere else than with its owner. */
export async function startSession(db: Queryable, userId: string): Promise<string> {
  const token = newToken();
  await execute(db, START, [hashToken(token), userId]);
  return token;
}

/**
 * Whose token this is now, with the role they have now; null when it is none, over, revoked, or its user disabled.
 * @param options.use whether this is a sign of life (a page, an action) rather than a tab that polls
 * @param options.readOnly everyone is a viewer
 */
export async function findSession(
  db: Queryable,
  token: string | undefined,
  options: { use: boolean; readOnly: boolean },
): Promise<Who | null> {
  if (!token || !isToken(token)) return null;
  const who = await maybe(db, FIND, Row, [hashToken(token), options.use]);
  return who && options.readOnly ? asReader(who) : who;
}

/** Whether this user's session has not been ended, for what went on since `findSession` let it in. */
export async function isSessionOf(db: Queryable, token: string | undefined, userId: string): Promise<boolean> {
  return token !== undefined && isToken(token) && (await execute(db, IS, [hashToken(token), userId])) === 1;
}

/** Revokes one session at once. */
export async function endSession(db: Queryable, token: string | undefined): Promise<void> {
  if (token && isToken(token)) await execute(db, END, [hashToken(token)]);
}

/** Revokes every session of a user at once; gives how many there were. */
export function endSessionsOf(db: Queryable, userId: string): Promise<number> {
  return execute(db, END_ALL, [userId]);
}

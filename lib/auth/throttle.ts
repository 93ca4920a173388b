import type pg from "pg";
import { z } from "zod";
import { execute, one, type Queryable, type Sql, transaction } from "@/lib/db/pg";

/** Failures that are remembered, and how long the next try then waits. A wait ends by itself: nobody is locked out. */
export const WINDOW_MINUTES = 15;
export const WAIT_MINUTES = 5;
/** One account from one address; and, against many addresses or many accounts, each by itself. */
export const FAILURES_MAX = 5;
export const FAILURES_MAX_WIDE = 20;
/** An account is known, this long, to an address from which it has signed in: others' tries do not make it wait there. */
export const KNOWN_DAYS = 30;

// Tries are counted one after the other, or a hundred at once would all see "none so far".
const LOCK: Sql = { name: "sign_in_lock", text: "select pg_advisory_xact_lock(hashtext('backstop.sign_in'))" };

/** $1 username, $2 address. The try is counted as a failure until it proves to be none. */
export const TRY: Sql = {
  name: "sign_in_try",
  text: `with old as (
  delete from backstop.sign_in_attempts where at <= statement_timestamp() - interval '${WINDOW_MINUTES} minutes'
), recent as (
  select username, address, at from backstop.sign_in_attempts
  where at > statement_timestamp() - interval '${WINDOW_MINUTES} minutes' and (username = $1 or address = $2)
), known as (
  select from backstop.users u where u.username = $1 and exists (
    select from backstop.audit a
    where a.action = 'sign_in' and a.phase = 'outcome' and a.actor_id = u.user_id::text and a.address = $2
      and a.at > statement_timestamp() - interval '${KNOWN_DAYS} days'
  )
), rule as (
  select count(*) as failures, max(at) as latest, ${FAILURES_MAX} as most
  from recent where username = $1 and address = $2
  union all select count(*), max(at), ${FAILURES_MAX_WIDE} from recent where username = $1
    and not exists (select from known)
  union all select count(*), max(at), ${FAILURES_MAX_WIDE} from recent where address = $2
), verdict as (
  select coalesce(max(extract(epoch from latest + interval '${WAIT_MINUTES} minutes' - statement_timestamp()))
    filter (where failures >= most), 0) * 1000 as wait_ms, min(most - failures) - 1 as tries_left
  from rule
), counted as (
  insert into backstop.sign_in_attempts (username, address) select $1, $2 from verdict where wait_ms <= 0
)
select greatest(wait_ms, 0)::float8 as wait_ms, greatest(tries_left, 0)::int as tries_left from verdict`,
};
const Verdict = z.object({ wait_ms: z.number(), tries_left: z.number() });

/** $1 username, $2 address */
const FORGET: Sql = {
  name: "sign_in_forget",
  text: "delete from backstop.sign_in_attempts where username = $1 and address = $2",
};

export type Try = { kind: "go"; triesLeft: number } | { kind: "wait"; waitMs: number };

/** Counts a try against its account and address, or says how long to wait. `triesLeft`: should this one fail. */
export function countTry(pool: pg.Pool, username: string, address: string): Promise<Try> {
  return transaction(pool, async (client) => {
    await execute(client, LOCK);
    const verdict = await one(client, TRY, Verdict, [username, address]);
    if (verdict.wait_ms > 0) return { kind: "wait", waitMs: verdict.wait_ms };
    return { kind: "go", triesLeft: verdict.tries_left };
  });
}

/** After a sign-in: the tries of this account from this address were no attack. */
export async function forgetTries(db: Queryable, username: string, address: string): Promise<void> {
  await execute(db, FORGET, [username, address]);
}

import type pg from "pg";
import { z } from "zod";
import type { By } from "@/lib/auth/by";
import type { Who } from "@/lib/auth/role";
import { hashToken, isToken, newToken } from "@/lib/auth/token";
import { WhoRow, whoOf } from "@/lib/auth/who-row";
import { recordAudit } from "@/lib/console/audit/record";
import { many, maybe, ms, type Queryable, type Sql, transaction } from "@/lib/db/pg";

/** What a token may be used for. There is none with which work could be put back. */
export const SCOPES = ["read", "mark"] as const;
export type Scope = (typeof SCOPES)[number];

export const TOKEN_DAYS_MAX = 366;
/** Living tokens of one user. */
export const TOKENS_MAX = 20;
const PREFIX = "backstop_";

export type ApiToken = {
  tokenId: string;
  name: string;
  scopes: Scope[];
  createdMs: number;
  expiresMs: number;
  /** Null: never yet. Written once a minute at most. */
  usedMs: number | null;
  expired: boolean;
};

export type NewApiToken = { name: string; scopes: readonly Scope[]; days: number };

/**
 * $1 token hash, $2 user, $3 name, $4 scopes, $5 days. No row: the user has too many, or is none that could use it. The
 * user's row is held: disabling comes before, and there is none, or after, and ends it.
 */
const INSERT: Sql = {
  name: "api_token_insert",
  text: `insert into backstop.api_tokens (token_hash, user_id, name, scopes, expires_at)
select $1, u.user_id, $3, $4, statement_timestamp() + $5::int * interval '1 day'
from backstop.users u
where u.user_id = $2 and u.disabled_at is null
  and (select count(*) from backstop.api_tokens t where t.user_id = u.user_id and t.revoked_at is null
    and t.expires_at > statement_timestamp()) < ${TOKENS_MAX}
for share of u
returning token_id`,
};

/** $1 token hash. A token never looks behind a mask, whoever its user is. */
const FIND: Sql = {
  name: "api_token_find",
  text: `with live as (
  select t.token_id, t.last_used_at, t.scopes, u.user_id, u.username, u.display_name, u.role, u.queues
  from backstop.api_tokens t join backstop.users u on u.user_id = t.user_id
  where t.token_hash = $1 and t.revoked_at is null and u.disabled_at is null and t.expires_at > statement_timestamp()
), used as (
  update backstop.api_tokens t set last_used_at = clock_timestamp() from live
  where t.token_id = live.token_id
    and (live.last_used_at is null or live.last_used_at < statement_timestamp() - interval '1 minute')
)
select user_id, username, display_name, role, false as reveal, queues, scopes from live`,
};
const Found = WhoRow.extend({ scopes: z.array(z.enum(SCOPES)) });

/** $1 user. Those that were revoked are not told. */
const LIST: Sql = {
  name: "api_token_list",
  text: `select token_id, name, scopes, ${ms("created_at")} as created_ms, ${ms("expires_at")} as expires_ms,
  ${ms("last_used_at")} as used_ms, expires_at <= statement_timestamp() as expired
from backstop.api_tokens where user_id = $1 and revoked_at is null order by created_at desc, token_id limit 100`,
};
const Listed = z
  .object({
    token_id: z.uuid(),
    name: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    created_ms: z.number(),
    expires_ms: z.number(),
    used_ms: z.number().nullable(),
    expired: z.boolean(),
  })
  .transform(
    (row): ApiToken => ({
      tokenId: row.token_id,
      name: row.name,
      scopes: row.scopes,
      createdMs: row.created_ms,
      expiresMs: row.expires_ms,
      usedMs: row.used_ms,
      expired: row.expired,
    }),
  );

/** $1 token, $2 its user */
const REVOKE: Sql = {
  name: "api_token_revoke",
  text: `update backstop.api_tokens set revoked_at = clock_timestamp()
where token_id = $1 and user_id = $2 and revoked_at is null returning name`,
};

/** Makes a token of a user and gives it, this once: only its hash is kept. `too_many`: they have `TOKENS_MAX` already. */
export function createApiToken(
  pool: pg.Pool,
  userId: string,
  { name, scopes, days }: NewApiToken,
  by: By,
): Promise<{ kind: "made"; token: string } | { kind: "too_many" }> {
  const token = newToken();
  return transaction(pool, async (client) => {
    const made = await maybe(client, INSERT, z.object({ token_id: z.uuid() }), [
      hashToken(token),
      userId,
      name,
      scopes,
      days,
    ]);
    if (!made) return { kind: "too_many" as const };
    const target = { userId, tokenId: made.token_id, name };
    await recordAudit(client, {
      phase: "outcome",
      action: "token_create",
      target,
      outcome: "made",
      detail: { scopes, days },
      ...by,
    });
    return { kind: "made" as const, token: PREFIX + token };
  });
}

/**
 * Whose token this is now and what it may be used for; null when it is none, over, revoked, or its user disabled. It
 * never looks behind a mask, whoever its user is.
 */
export async function findApiToken(db: Queryable, text: string): Promise<{ who: Who; scopes: Scope[] } | null> {
  const token = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : "";
  if (!isToken(token)) return null;
  const found = await maybe(db, FIND, Found, [hashToken(token)]);
  return found && { who: whoOf(found), scopes: found.scopes };
}

/** A user's tokens, the newest first, at most 100. */
export function listApiTokens(db: Queryable, userId: string): Promise<ApiToken[]> {
  return many(db, LIST, Listed, [userId]);
}

/** Revokes one token of a user at once. `not_found`: they have none of that id, or no more. */
export function revokeApiToken(
  pool: pg.Pool,
  userId: string,
  tokenId: string,
  by: By,
): Promise<{ kind: "revoked" } | { kind: "not_found" }> {
  return transaction(pool, async (client) => {
    const revoked = await maybe(client, REVOKE, z.object({ name: z.string() }), [tokenId, userId]);
    if (!revoked) return { kind: "not_found" as const };
    const target = { userId, tokenId, name: revoked.name };
    await recordAudit(client, { phase: "outcome", action: "token_revoke", target, outcome: "revoked", ...by });
    return { kind: "revoked" as const };
  });
}

import "server-only";
import { randomUUID } from "node:crypto";
import { cookies, headers } from "next/headers";
import { addressOf } from "@/lib/auth/address";
import { findApiToken } from "@/lib/auth/api-tokens";
import { bearerOf } from "@/lib/auth/bearer";
import { sessionCookie } from "@/lib/auth/cookie";
import { isForeignRead, judgeOrigin } from "@/lib/auth/origin";
import { asReader } from "@/lib/auth/role";
import type { RequestContext } from "@/lib/auth/run-action";
import type { RouteContext } from "@/lib/auth/run-route";
import { findReader } from "@/lib/auth/seen-sessions";
import { findSession } from "@/lib/auth/session";
import { config } from "@/lib/config";
import { recordAudit } from "@/lib/console/audit/record";
import { pools } from "@/lib/db/pools";
import { logLine } from "@/lib/queues/log-line";

/** The session's token that came with this request, if one did. */
export async function requestToken(): Promise<string | undefined> {
  return (await cookies()).get(sessionCookie(config().publicOrigin).name)?.value;
}

/**
 * What Next knows of the request that is being answered.
 * @param options.use whether it prolongs the session: a tab that polls does not
 * @param options.reads nothing is changed: a session that was just seen may do so while the database is away
 */
export async function requestContext({ use = true, reads = false } = {}): Promise<RequestContext> {
  const { publicOrigin, readOnly } = config();
  const sent = await headers();
  const token = await requestToken();
  return {
    requestId: randomUUID(),
    origin: judgeOrigin(sent.get("origin"), publicOrigin, sent.get("host"), sent.get("sec-fetch-site")),
    address: addressOf(sent.get("x-forwarded-for"), publicOrigin),
    who: () => (reads ? findReader : findSession)(pools().own, token, { use, readOnly }),
    audit: (row) => recordAudit(pools().own, row),
    log: logLine,
  };
}

/** As `requestContext`, for a JSON route: it may be asked with a token of its own instead of a session. */
export async function routeContext(reads: boolean): Promise<RouteContext> {
  const sent = await headers();
  const { readOnly } = config();
  const token = bearerOf(sent.get("authorization"));
  const context = await requestContext({ use: false, reads });
  return {
    ...context,
    foreignRead: isForeignRead(sent.get("sec-fetch-site"), sent.get("sec-fetch-mode")),
    bearer:
      token === null
        ? undefined
        : {
            withCookie: (await requestToken()) !== undefined,
            find: async () => {
              const found = await findApiToken(pools().own, token);
              return found && readOnly ? { ...found, who: asReader(found.who) } : found;
            },
          },
  };
}

/** Gives the browser its session. Only in actions: a page that renders cannot set a cookie. */
export async function giveSession(token: string): Promise<void> {
  const { name, options } = sessionCookie(config().publicOrigin);
  (await cookies()).set(name, token, options);
}

/** Takes the session's cookie back. The `__Host-` prefix wants its attributes here, too. */
export async function takeSession(): Promise<void> {
  const { name, options } = sessionCookie(config().publicOrigin);
  (await cookies()).set(name, "", { ...options, maxAge: 0 });
}

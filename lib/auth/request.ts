import "server-only";
import { randomUUID } from "node:crypto";
import { cookies, headers } from "next/headers";
import { addressOf } from "@/lib/auth/address";
import { sessionCookie } from "@/lib/auth/cookie";
import { judgeOrigin } from "@/lib/auth/origin";
import type { RequestContext } from "@/lib/auth/run-action";
import { findReader } from "@/lib/auth/seen-sessions";
import { findSession } from "@/lib/auth/session";
import { config } from "@/lib/config";
import { recordAudit } from "@/lib/console/audit/record";
import { pools } from "@/lib/db/pools";

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
    origin: judgeOrigin(sent.get("origin"), publicOrigin, sent.get("host")),
    address: addressOf(sent.get("x-forwarded-for"), publicOrigin),
    who: () => (reads ? findReader : findSession)(pools().own, token, { use, readOnly }),
    audit: (row) => recordAudit(pools().own, row),
    log: (line) => console.error(JSON.stringify(line)),
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

import type { Scope } from "@/lib/auth/api-tokens";
import { failureOf } from "@/lib/auth/failure";
import type { OriginVerdict } from "@/lib/auth/origin";
import { atLeast, type Role, type Who } from "@/lib/auth/role";

/** What a JSON route needs to know of its request. Given by Next in the app, by hand in tests. */
export type RouteContext = {
  requestId: string;
  origin: OriginVerdict;
  address: string;
  /** Another site's page reads it as a part of its own. */
  foreignRead?: boolean;
  /** Whose session it is. */
  who(): Promise<Who | null>;
  /** Where it came with an API token: then the cookie says nothing, and there must be none. */
  bearer?: { withCookie: boolean; find(): Promise<{ who: Who; scopes: readonly Scope[] } | null> } | undefined;
  log(line: Record<string, unknown>): void;
};

export type RouteSpec = {
  role: Role;
  request: Request;
  /** What an API token must be for; null: no token is let in. */
  scope: Scope | null;
};

const PRIVATE = { "cache-control": "private, no-store", vary: "cookie, authorization" };

const answer = (status: number, body: unknown) => Response.json(body, { status, headers: PRIVATE });
const SIGNED_OUT = { kind: "signed_out", sentence: "Your session is over. Sign in to go on." };
const NO_TOKEN = { kind: "no_token", sentence: "This is not a token of this desk, or not any more." };

/**
 * Looks up who asks, judges the role (and, for what is not a plain read, the Origin), and answers the body's value as
 * JSON that no cache keeps. A `Response` from the body passes, with the same header. Never throws.
 */
export async function runRoute(
  context: RouteContext,
  spec: RouteSpec,
  body: (who: Who) => Promise<unknown>,
): Promise<Response> {
  const { requestId } = context;
  try {
    const judged = context.bearer ? await judgeToken(context.bearer, spec) : await judgeSession(context, spec);
    if (judged instanceof Response) return judged;
    if (!atLeast(judged.role, spec.role)) return answer(403, { kind: "forbidden", need: spec.role, role: judged.role });
    const value = await body(judged);
    if (!(value instanceof Response)) return answer(200, value);
    for (const [name, text] of Object.entries(PRIVATE)) value.headers.set(name, text);
    return value;
  } catch (error) {
    const failure = failureOf(error);
    const { pathname } = new URL(spec.request.url);
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    context.log({ event: "route_failed", path: pathname, requestId, code: failure.code, error: text });
    return answer(500, { kind: "failed", requestId, atMs: Date.now(), ...failure });
  }
}

async function judgeSession(context: RouteContext, { request }: RouteSpec): Promise<Who | Response> {
  const reads = request.method === "GET" || request.method === "HEAD";
  if (reads && context.foreignRead) return answer(403, { kind: "refused", code: "site_foreign" });
  const who = await context.who();
  if (!who) return answer(401, SIGNED_OUT);
  if (!reads && context.origin !== "accepted") return answer(403, { kind: "refused", code: context.origin });
  return who;
}

/** Browsers send no token by themselves, so its Origin says nothing. */
async function judgeToken(
  { withCookie, find }: NonNullable<RouteContext["bearer"]>,
  { scope }: RouteSpec,
): Promise<Who | Response> {
  if (withCookie) return answer(400, { kind: "refused", code: "token_and_cookie" });
  const found = await find();
  if (!found) return answer(401, NO_TOKEN);
  if (scope === null || !found.scopes.includes(scope)) return answer(403, { kind: "forbidden", scope });
  return found.who;
}

import { failureOf } from "@/lib/auth/failure";
import type { OriginVerdict } from "@/lib/auth/origin";
import { atLeast, type Role, type Who } from "@/lib/auth/role";

/** What a JSON route needs to know of its request. Given by Next in the app, by hand in tests. */
export type RouteContext = {
  requestId: string;
  origin: OriginVerdict;
  who(): Promise<Who | null>;
  log(line: Record<string, unknown>): void;
};

const PRIVATE = { "cache-control": "private, no-store", vary: "cookie" };

const answer = (status: number, body: unknown) => Response.json(body, { status, headers: PRIVATE });

/**
 * Looks up who asks, judges the role (and, for what is not a plain read, the Origin), and answers the body's value as
 * JSON that no cache keeps. A `Response` from the body passes, with the same header. Never throws.
 */
export async function runRoute(
  context: RouteContext,
  spec: { role: Role; request: Request },
  body: (who: Who) => Promise<unknown>,
): Promise<Response> {
  const { requestId } = context;
  try {
    const who = await context.who();
    if (!who) return answer(401, { kind: "signed_out", sentence: "Your session is over. Sign in to go on." });
    if (!atLeast(who.role, spec.role)) return answer(403, { kind: "forbidden", need: spec.role, role: who.role });
    const reads = spec.request.method === "GET" || spec.request.method === "HEAD";
    if (!reads && context.origin !== "accepted") return answer(403, { kind: "refused", code: context.origin });
    const value = await body(who);
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

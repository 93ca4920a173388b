import "server-only";
import type { Scope } from "@/lib/auth/api-tokens";
import { declare } from "@/lib/auth/declared";
import { routeContext } from "@/lib/auth/request";
import type { Role, Who } from "@/lib/auth/role";
import { runRoute } from "@/lib/auth/run-route";

export type RouteAsked<P> = { who: Who; request: Request; params: P; requestId: string; address: string };

type Handler<P> = (request: Request, context: { params: Promise<P> }) => Promise<Response>;

/**
 * The one shape of a JSON route: `export const GET = routeGuard("viewer", async ({ params }) => value)`. Answers the
 * value as JSON, or 401 / 403 / 500 with a `kind`. A tab that polls does not keep its session alive.
 * @param scope what an API token needs for it, where it is not a plain read; without one no token is let in
 */
export function routeGuard<P = Record<string, never>>(
  role: Role,
  body: (asked: RouteAsked<P>) => Promise<unknown>,
  scope: Scope | null = null,
): Handler<P> {
  return declare({ kind: "route", name: "route", role }, async (request: Request, { params }) => {
    const reads = request.method === "GET" || request.method === "HEAD";
    const context = await routeContext(reads);
    const { requestId, address } = context;
    return runRoute(context, { role, request, scope: reads ? "read" : scope }, async (who) =>
      body({ who, request, params: await params, requestId, address }),
    );
  });
}

/** A route that tells anybody the same, and nothing of the stores. */
export function openRoute(body: () => unknown): () => Promise<Response> {
  return declare({ kind: "route", name: "route", role: "anyone" }, async () =>
    Response.json(body(), { headers: { "cache-control": "no-store" } }),
  );
}

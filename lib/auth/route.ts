import "server-only";
import { requestContext } from "@/lib/auth/request";
import type { Role, Who } from "@/lib/auth/role";
import { runRoute } from "@/lib/auth/run-route";

export type RouteAsked<P> = { who: Who; request: Request; params: P; requestId: string };

/**
 * The one shape of a JSON route: `export const GET = routeGuard("viewer", async ({ params }) => value)`. Answers the
 * value as JSON, or 401 / 403 / 500 with a `kind`. A tab that polls does not keep its session alive.
 */
export function routeGuard<P = Record<string, never>>(role: Role, body: (asked: RouteAsked<P>) => Promise<unknown>) {
  return async (request: Request, { params }: { params: Promise<P> }): Promise<Response> => {
    const reads = request.method === "GET" || request.method === "HEAD";
    const context = await requestContext({ use: false, reads });
    const { requestId } = context;
    return runRoute(context, { role, request }, async (who) => body({ who, request, params: await params, requestId }));
  };
}

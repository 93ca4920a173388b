import "server-only";
import { declare } from "@/lib/auth/declared";
import { createKnownViewers } from "@/lib/auth/known-viewers";
import { requestToken, routeContext } from "@/lib/auth/request";
import type { Role, Who } from "@/lib/auth/role";
import { runRoute } from "@/lib/auth/run-route";
import { hashToken } from "@/lib/auth/token";

/**
 * As `routeGuard`, for what is watched while something is broken. Who asks is looked up each time; only while that cannot
 * be done, since the database of the sessions is away, a viewer whom this process has just recognised goes on seeing
 * these counts: one broken store must not blank the other.
 * @param patienceMs how long the body takes at most: whoever is looked up sooner than it is read is never taken for silent
 */
export function watchRoute(role: Role, body: (who: Who) => Promise<unknown>, patienceMs: number) {
  const viewers = createKnownViewers();
  return declare({ kind: "route", name: "route", role }, async (request: Request): Promise<Response> => {
    const context = await routeContext(true);
    const token = context.bearer ? undefined : await requestToken();
    const viewer = token === undefined ? null : hashToken(token).toString("base64url");
    const known = viewer === null || context.foreignRead ? null : viewers.find(viewer);
    const asked = runRoute(context, { role, request, scope: "read" }, (who) => {
      if (viewer) viewers.remember(viewer, who);
      return body(who);
    }).then((answer) => {
      if (viewer && answer.status === 401) viewers.forget(viewer);
      return answer;
    });
    if (!known) return asked;
    // Begun at once, and shared with the guarded one: the browser's patience is no longer than both waits together.
    const reading = body(known);
    const answer = await Promise.race([asked, silence(patienceMs + 500)]);
    if (answer && answer.status !== 500) return answer;
    return Response.json(await reading, { headers: { "cache-control": "private, no-store" } });
  });
}

function silence(afterMs: number): Promise<null> {
  return new Promise((resolve) => setTimeout(resolve, afterMs, null).unref());
}

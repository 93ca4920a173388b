import { createKnownViewers } from "@/app/api/overview/known-viewers";
import { requestToken } from "@/lib/auth/request";
import { routeGuard } from "@/lib/auth/route";
import { hashToken } from "@/lib/auth/token";
import { PATIENCE_MS, readOverview } from "@/lib/console/overview/read";
import { answered } from "@/lib/console/process-id";

const guarded = routeGuard("viewer", () => answered(readOverview()));
const viewers = createKnownViewers();

type Context = { params: Promise<Record<string, never>> };

/**
 * What the Overview and the frame poll: the same reading as the first paint's. Who asks is looked up each time; only
 * while that cannot be done, since the database of the sessions is away, a viewer whom this process has just
 * recognised goes on seeing these counts: one broken store must not blank the other.
 */
export async function GET(request: Request, context: Context): Promise<Response> {
  const token = await requestToken();
  const viewer = token === undefined ? null : hashToken(token).toString("base64url");
  const known = viewer !== null && viewers.knows(viewer);
  const asked = guarded(request, context).then((answer) => {
    if (viewer && answer.status === 200) viewers.remember(viewer);
    if (viewer && (answer.status === 401 || answer.status === 403)) viewers.forget(viewer);
    return answer;
  });
  if (!known) return asked;
  // Begun at once, and shared with the guarded one: the browser's patience is no longer than both waits together.
  const reading = answered(readOverview());
  const answer = await Promise.race([asked, silence()]);
  if (answer && answer.status !== 500) return answer;
  return Response.json(await reading, { headers: { "cache-control": "private, no-store" } });
}

/** The reading is waited for as long; so whoever is looked up sooner than it is read is never taken for silent. */
function silence(): Promise<null> {
  return new Promise((resolve) => setTimeout(resolve, PATIENCE_MS + 500, null).unref());
}

import { mayUse } from "@/lib/auth/may-use";
import { routeGuard } from "@/lib/auth/route";
import { readListState } from "@/lib/console/lists/read-list";
import { answered } from "@/lib/console/process-id";
import { queueNamed } from "@/lib/console/sources";

/** The lists of a queue, for the page that shows them; null where there is no such queue, or it keeps none. */
export const GET = routeGuard<{ queue: string }>("viewer", ({ params, who }) => {
  const queue = mayUse(who, params.queue) ? queueNamed(params.queue) : null;
  return answered(queue ? readListState(queue) : Promise.resolve(null));
});

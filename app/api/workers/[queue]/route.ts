import { mayUse } from "@/lib/auth/may-use";
import { routeGuard } from "@/lib/auth/route";
import { readWorkers } from "@/lib/console/lists/read-workers";
import { answered } from "@/lib/console/process-id";
import { queueNamed } from "@/lib/console/sources";

/** Leases by worker, for the list that shows them; null where there is no such queue, or it gives no leases. */
export const GET = routeGuard<{ queue: string }>("viewer", ({ params, who }) => {
  const queue = mayUse(who, params.queue) ? queueNamed(params.queue) : null;
  return answered(queue ? readWorkers(queue) : Promise.resolve(null));
});

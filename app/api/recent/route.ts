import { routeGuard } from "@/lib/auth/route";
import { recentOfQueues } from "@/lib/console/overview/of-queues";
import { readRecent } from "@/lib/console/overview/recent";
import { answered } from "@/lib/console/process-id";

/** The last half hour of every queue: forecasts, signals, and since when there are dead letters. */
export const GET = routeGuard("viewer", ({ who }) => answered(readRecent().then(recentOfQueues(who))));

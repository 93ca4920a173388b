import { routeGuard } from "@/lib/auth/route";
import { readRecent } from "@/lib/console/overview/recent";
import { answered } from "@/lib/console/process-id";

/** The last half hour of every queue: forecasts, signals, and since when there are dead letters. */
export const GET = routeGuard("viewer", () => answered(readRecent()));

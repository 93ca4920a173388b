import { routeGuard } from "@/lib/auth/route";
import { readHistory } from "@/lib/console/overview/history";

/** The last half hour of every queue, for the Overview's lines. */
export const GET = routeGuard("viewer", () => readHistory());

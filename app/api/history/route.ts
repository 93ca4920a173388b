import { routeGuard } from "@/lib/auth/route";
import { readHistory } from "@/lib/console/overview/history";
import { answered } from "@/lib/console/process-id";

/** The last half hour of every queue, for the Overview's lines. */
export const GET = routeGuard("viewer", () => answered(readHistory()));

import { routeGuard } from "@/lib/auth/route";
import { readOverview } from "@/lib/console/overview/read";
import { answered } from "@/lib/console/process-id";

/** What the Overview and the frame poll: the same reading as the first paint's. */
export const GET = routeGuard("viewer", () => answered(readOverview()));

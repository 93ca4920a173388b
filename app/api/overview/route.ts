import { watchRoute } from "@/lib/auth/watch-route";
import { ofQueues } from "@/lib/console/overview/of-queues";
import { PATIENCE_MS, readOverview } from "@/lib/console/overview/read";
import { answered } from "@/lib/console/process-id";

/** What the Overview and the frame poll: the same reading as the first paint's. */
export const GET = watchRoute("viewer", (who) => answered(readOverview().then(ofQueues(who))), PATIENCE_MS);

import { routeGuard } from "@/lib/auth/route";
import { readHistory } from "@/lib/console/overview/history";
import { historyOfQueues } from "@/lib/console/overview/of-queues";
import { answered } from "@/lib/console/process-id";
import { readChartRange } from "@/lib/domain/chart-range";

/** The charts of a range, `?range=24h` or `?from=…&to=…`, for what is drawn over time. */
export const GET = routeGuard("viewer", ({ request, who }) => {
  const params = Object.fromEntries(new URL(request.url).searchParams);
  return answered(readHistory(readChartRange(params)).then(historyOfQueues(who)));
});

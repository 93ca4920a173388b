import { archiveFilter, readReviewQuery } from "@/app/(desk)/dead-letters/review-query";
import { routeGuard } from "@/lib/auth/route";
import { countNew } from "@/lib/console/archive/count";
import { archiveReading } from "@/lib/console/archive/reading";
import { answered } from "@/lib/console/process-id";
import { pools } from "@/lib/db/pools";

/** How many letters of a filter were archived since a page was read (`since`, ms). */
export const GET = routeGuard("viewer", async ({ request, who }) => {
  const params = Object.fromEntries(new URL(request.url).searchParams);
  const sinceMs = Number(params.since);
  const { filter } = readReviewQuery(params);
  // Whatever is new died within any stretch that ends now: only one that has ended can leave it out.
  const open = filter.died?.kind === "last" ? { ...filter, died: undefined } : filter;
  const within = archiveFilter(open, sinceMs, who);
  return answered(
    archiveReading("new", async () => ({
      count: Number.isFinite(sinceMs) && sinceMs > 0 ? await countNew(pools().own, within, sinceMs) : 0,
    })),
  );
});

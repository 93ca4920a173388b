import { ALL, archiveFilter, readReviewQuery, spanOf } from "@/app/(desk)/dead-letters/review-query";
import { download, fileStamp } from "@/app/api/export/download";
import { routeGuard } from "@/lib/auth/route";
import { readArchiveClock } from "@/lib/console/archive/read-review";
import { writeTimeline } from "@/lib/console/archive/timeline";
import { readDatabaseClock } from "@/lib/console/overview/read";
import { pools } from "@/lib/db/pools";

/** What died and what was done within the time of a view, as a Markdown file. */
export const GET = routeGuard("viewer", async ({ request, who }) => {
  const { own } = pools();
  const nowMs = (await readDatabaseClock()) ?? (await readArchiveClock(own)) ?? 0;
  // What became of the letters is told of each: who names no state wants them all.
  const asked = readReviewQuery({ state: ALL, ...Object.fromEntries(new URL(request.url).searchParams) });
  const filter = archiveFilter(asked.filter, nowMs, who);
  const shown = spanOf(asked, nowMs);
  const span = { fromMs: filter.fromMs ?? shown.fromMs, toMs: filter.toMs ?? nowMs };
  const text = await writeTimeline(own, filter, span);
  async function* whole() {
    yield text;
  }
  return download(whole(), `timeline-${fileStamp(span.fromMs)}.md`, "text/markdown");
});

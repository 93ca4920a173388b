import "@/app/(desk)/lists.css";
import "@/app/(desk)/dead-letters/groups.css";
import "@/app/(desk)/dead-letters/histogram.css";
import "@/app/(desk)/dead-letters/selection.css";
import { ExportLinks } from "@/app/(desk)/dead-letters/export-links";
import { HistogramLegend } from "@/app/(desk)/dead-letters/histogram";
import { NewLetters } from "@/app/(desk)/dead-letters/new-letters";
import { ReviewBody } from "@/app/(desk)/dead-letters/review-body";
import { reviewFacets } from "@/app/(desk)/dead-letters/review-facets";
import { ReviewHead } from "@/app/(desk)/dead-letters/review-head";
import { archiveFilter, type ReviewFilter, readReviewQuery, spanOf } from "@/app/(desk)/dead-letters/review-query";
import { TimeSection } from "@/app/(desk)/dead-letters/time-section";
import { ViewTabs } from "@/app/(desk)/dead-letters/view-tabs";
import { StaleBanner } from "@/app/(desk)/live/stale-banner";
import { ListBar } from "@/components/queue/list-bar";
import { QueryNotes } from "@/components/queue/query-notes";
import { TopBar } from "@/components/shell/top-bar";
import { FacetToolbar } from "@/components/ui/facet-toolbar";
import { queryString } from "@/components/ui/query";
import { QueryLine } from "@/components/ui/query-line";
import { mayUse } from "@/lib/auth/may-use";
import { atLeast, type Who } from "@/lib/auth/role";
import { whyNotRole } from "@/lib/auth/why-not";
import { countArchived } from "@/lib/console/archive/count";
import { readArchiveClock, readReview, sparkSpan } from "@/lib/console/archive/read-review";
import { readWidened } from "@/lib/console/archive/widened";
import { marksOfQueues } from "@/lib/console/overview/of-queues";
import { readDatabaseClock } from "@/lib/console/overview/read";
import { queues } from "@/lib/console/sources";
import { pools } from "@/lib/db/pools";
import { archiveNotes } from "@/lib/domain/archive-words";
import { binsOf } from "@/lib/domain/bins";
import type { Params } from "@/lib/domain/params";

const PATH = "/dead-letters";
const ROWS = 100;
const CRUMBS = [{ label: "Dead letters" }];

/** Everything that ever died, of every queue, from the archive: what waits for a decision and what became of the rest. */
export async function Review({ params, viewer }: { params: Params; viewer: Who }) {
  const { own } = pools();
  // Asked before the rest: what is archived later is new to this page.
  const [clockMs, archiveMs] = await Promise.all([readDatabaseClock(), readArchiveClock(own)]);
  // Without the store's own clock the archive still tells what died; with neither there is nothing to tell it of.
  const nowMs = clockMs ?? archiveMs ?? 0;
  const asked = readReviewQuery(params);
  const listed = queues().filter(({ name, letters }) => letters !== null && mayUse(viewer, name));
  const { queue } = asked.filter;
  const notes = [...asked.notes];
  if (queue && !listed.some(({ name }) => name === queue)) {
    notes.push(`${queue} is counted on the Overview, not listed.`);
  }
  const span = spanOf(asked, nowMs);
  const bins = binsOf(span.fromMs, span.toMs);
  const filter = archiveFilter(asked.filter, nowMs, viewer);
  const request = { ...asked.place, limit: ROWS };
  const archived = listed.filter(({ archive }) => archive !== null).map(({ name }) => name);
  const review = await readReview(own, { view: asked.view, filter, request, bins, archived });
  const empty = review.count?.count === 0 || (review.page?.kind === "read" && review.page.value.rows.length === 0);
  const countOf = (wider: ReviewFilter) => countArchived(own, archiveFilter(wider, nowMs, viewer));
  const widened = empty ? await readWidened(asked.filter, countOf) : [];
  const lacking = archiveNotes(review.caughtUp);
  notes.push(...lacking);
  const { query, view } = asked;
  const shown = queryString({ ...query, after: undefined, before: undefined, span: undefined });
  return (
    <>
      <TopBar crumbs={CRUMBS} nowMs={clockMs} query={query.q} />
      <main id="main">
        <StaleBanner />
        <QueryNotes notes={notes} />
        <ReviewHead queue={queue} count={review.count}>
          <ExportLinks query={query} />
        </ReviewHead>
        <FacetToolbar
          path={PATH}
          query={query}
          facets={reviewFacets({ queues: listed.map(({ name }) => name), kinds: review.kinds, asked, nowMs })}
        >
          <QueryLine query={queryString(query)} />
        </FacetToolbar>
        <TimeSection
          path={PATH}
          asked={asked}
          bins={bins}
          histogram={review.histogram}
          marks={marksOfQueues(viewer, review.marks)}
        />
        <ListBar atMs={nowMs}>
          <ViewTabs path={PATH} query={query} view={view} causes={review.causes} count={review.count} />
          {archiveMs === null ? null : <NewLetters query={shown} sinceMs={archiveMs} />}
          <HistogramLegend />
        </ListBar>
        <ReviewBody
          path={PATH}
          asked={asked}
          review={review}
          widened={widened}
          whole={lacking.length === 0}
          nowMs={nowMs}
          fromMs={filter.fromMs ?? null}
          span={sparkSpan(filter, bins)}
          forbidden={atLeast(viewer.role, "operator") ? null : whyNotRole(viewer.role, "operator")}
        />
      </main>
    </>
  );
}

import "@/app/(desk)/lists.css";
import "@/app/(desk)/charts/charts.css";
import "@/app/(desk)/retries/workers.css";
import type { Metadata } from "next";
import { connection } from "next/server";
import { StaleBanner } from "@/app/(desk)/live/stale-banner";
import { JobList } from "@/app/(desk)/retries/job-list";
import { LEASE_MS } from "@/app/(desk)/retries/job-table";
import { JobsCharts } from "@/app/(desk)/retries/jobs-charts";
import { jobFacets } from "@/app/(desk)/retries/jobs-facets";
import { JobsHead } from "@/app/(desk)/retries/jobs-head";
import { JobsImpacts } from "@/app/(desk)/retries/jobs-impacts";
import { readJobsQuery } from "@/app/(desk)/retries/jobs-query";
import { StateTabs } from "@/app/(desk)/retries/state-tabs";
import { WorkersAside } from "@/app/(desk)/retries/workers-aside";
import { ListBar } from "@/components/queue/list-bar";
import { NoQueue } from "@/components/queue/no-queue";
import { QueryNotes } from "@/components/queue/query-notes";
import { TopBar } from "@/components/shell/top-bar";
import { FacetToolbar } from "@/components/ui/facet-toolbar";
import { queryString } from "@/components/ui/query";
import { QueryLine } from "@/components/ui/query-line";
import { requireViewer } from "@/lib/auth/guard";
import { pickQueue } from "@/lib/console/lists/pick-queue";
import { readJobs } from "@/lib/console/lists/read-jobs";
import { readWorkers } from "@/lib/console/lists/read-workers";
import { readDatabaseClock } from "@/lib/console/overview/read";
import { rangeParams } from "@/lib/domain/chart-range";

export const metadata: Metadata = { title: "Retries & leases" };

const PATH = "/retries";
const ROWS = 100;
const CRUMBS = [{ label: "Retries & leases" }];

/** Work that is being tried, waits to be tried again, or is held by a worker. */
export default async function Page({ searchParams }: PageProps<"/retries">) {
  await connection();
  const viewer = await requireViewer();
  const params = await searchParams;
  const asked = readJobsQuery(params);
  const { queue, names, note } = pickQueue(asked.queue, ({ jobs }) => jobs !== null, viewer);
  if (!queue) return <NoQueue crumbs={CRUMBS} title="Retries and leases" nowMs={await readDatabaseClock()} />;
  const [view, workers] = await Promise.all([
    readJobs(queue, asked.filter, { ...asked.place, limit: ROWS }),
    readWorkers(queue),
  ]);
  const nowMs = (view.page.kind === "read" && view.page.value.atMs) || (await readDatabaseClock());
  const { filter, query } = asked;
  const states = filter.states ?? [];
  const facets = jobFacets({
    queues: names,
    queue: asked.queue && queue.name,
    filter,
    kinds: view.kinds,
    attemptsMax: view.limits?.attemptsMax ?? null,
  });
  return (
    <>
      <TopBar crumbs={CRUMBS} nowMs={nowMs} />
      <main id="main">
        <StaleBanner />
        <QueryNotes notes={note ? [...asked.notes, note] : asked.notes} />
        <JobsHead queue={queue.name} counts={view.counts} states={states} />
        <JobsImpacts queue={queue.name} />
        <JobsCharts path={PATH} query={query} queue={queue.name} params={rangeParams(params)} />
        <FacetToolbar path={PATH} query={query} facets={facets}>
          <QueryLine query={queryString(query)} />
        </FacetToolbar>
        <ListBar atMs={view.page.kind === "read" ? nowMs : null}>
          <StateTabs path={PATH} query={query} states={states} counts={view.counts} />
        </ListBar>
        <div className={workers ? "lanes" : undefined}>
          <JobList path={PATH} queue={queue.name} asked={asked} view={view} />
          {workers ? (
            <WorkersAside queue={queue.name} initial={workers} leaseMs={view.limits?.leaseMs ?? LEASE_MS} />
          ) : null}
        </div>
      </main>
    </>
  );
}

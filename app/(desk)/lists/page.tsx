import "@/app/(desk)/lists.css";
import "@/app/(desk)/charts/charts.css";
import "@/app/(desk)/retries/workers.css";
import "@/app/(desk)/lists/lists-page.css";
import type { Metadata } from "next";
import { connection } from "next/server";
import { ListTabs } from "@/app/(desk)/lists/list-tabs";
import { ListWindowSection } from "@/app/(desk)/lists/list-window";
import { ListsHead } from "@/app/(desk)/lists/lists-head";
import { readListsQuery } from "@/app/(desk)/lists/lists-query";
import { RuntimesAside } from "@/app/(desk)/lists/runtimes-aside";
import { newestFirst, WINDOW } from "@/app/(desk)/lists/window-pages";
import { StaleBanner } from "@/app/(desk)/live/stale-banner";
import { JobsCharts } from "@/app/(desk)/retries/jobs-charts";
import { ListBar } from "@/components/queue/list-bar";
import { NoQueue } from "@/components/queue/no-queue";
import { QueryNotes } from "@/components/queue/query-notes";
import { TopBar } from "@/components/shell/top-bar";
import { requireViewer } from "@/lib/auth/guard";
import { pickQueue } from "@/lib/console/lists/pick-queue";
import { readListState, readListWindow } from "@/lib/console/lists/read-list";
import { readDatabaseClock } from "@/lib/console/overview/read";
import { rangeParams } from "@/lib/domain/chart-range";

export const metadata: Metadata = { title: "Redis lists" };

const PATH = "/lists";
const CRUMBS = [{ label: "Redis lists" }];

/** A queue in Redis lists: what waits, who holds what, what died, and how Redis itself is. */
export default async function Page({ searchParams }: PageProps<"/lists">) {
  await connection();
  const viewer = await requireViewer();
  const params = await searchParams;
  const asked = readListsQuery(params);
  const { queue, note } = pickQueue(asked.queue, ({ list }) => list !== null, viewer);
  const nowMs = await readDatabaseClock();
  if (!queue) {
    return (
      <NoQueue crumbs={CRUMBS} title="Redis lists" nowMs={nowMs}>
        REDIS_URL is not set, so this desk reads no queue in Redis lists.
      </NoQueue>
    );
  }
  const { list, runtime, query } = asked;
  // What is taken first, and of the dead the newest.
  const at = asked.at ?? (newestFirst(list) ? null : 0);
  const [state, window] = await Promise.all([
    readListState(queue),
    readListWindow(queue, { list, runtime, at, limit: WINDOW }),
  ]);
  return (
    <>
      <TopBar crumbs={CRUMBS} nowMs={nowMs} />
      <main id="main">
        <StaleBanner />
        <QueryNotes notes={note ? [...asked.notes, note] : asked.notes} />
        {state ? <ListsHead queue={queue.name} initial={state} /> : null}
        <JobsCharts path={PATH} query={query} queue={queue.name} params={rangeParams(params)} />
        <ListBar atMs={window.kind === "read" ? window.value.atMs : null}>
          <ListTabs
            path={PATH}
            query={query}
            list={list}
            runtime={runtime}
            counts={state?.kind === "read" ? state.value.counts : null}
          />
        </ListBar>
        <div className="lanes">
          <ListWindowSection path={PATH} queue={queue.name} asked={asked} reading={window} />
          {state ? <RuntimesAside queue={queue.name} initial={state} /> : null}
        </div>
      </main>
    </>
  );
}

import "@/app/(desk)/lists.css";
import type { Metadata } from "next";
import { connection } from "next/server";
import { LetterList } from "@/app/(desk)/dead-letters/letter-list";
import { LetterTabs } from "@/app/(desk)/dead-letters/letter-tabs";
import { letterFacets } from "@/app/(desk)/dead-letters/letters-facets";
import { LettersHead } from "@/app/(desk)/dead-letters/letters-head";
import { readLettersQuery } from "@/app/(desk)/dead-letters/letters-query";
import { StaleBanner } from "@/app/(desk)/live/stale-banner";
import { ListBar } from "@/components/queue/list-bar";
import { NoQueue } from "@/components/queue/no-queue";
import { QueryNotes } from "@/components/queue/query-notes";
import { TopBar } from "@/components/shell/top-bar";
import { FacetToolbar } from "@/components/ui/facet-toolbar";
import { queryString } from "@/components/ui/query";
import { QueryLine } from "@/components/ui/query-line";
import { requireViewer } from "@/lib/auth/guard";
import { pickQueue } from "@/lib/console/lists/pick-queue";
import { readLetters } from "@/lib/console/lists/read-letters";
import { readDatabaseClock } from "@/lib/console/overview/read";

export const metadata: Metadata = { title: "Dead letters" };

const PATH = "/dead-letters";
const ROWS = 100;
const CRUMBS = [{ label: "Dead letters" }];

/** Work that gave up: what waits for a decision, and what became of what was put back. */
export default async function Page({ searchParams }: PageProps<"/dead-letters">) {
  await connection();
  await requireViewer();
  const asked = readLettersQuery(await searchParams);
  const { queue, names, note } = pickQueue(asked.queue, ({ letters }) => letters !== null);
  if (!queue) return <NoQueue crumbs={CRUMBS} title="Dead letters" nowMs={await readDatabaseClock()} />;
  const view = await readLetters(queue, asked.filter, { ...asked.place, limit: ROWS });
  const nowMs = (view.page.kind === "read" && view.page.value.atMs) || (await readDatabaseClock());
  const { filter, query, notes } = asked;
  return (
    <>
      <TopBar crumbs={CRUMBS} nowMs={nowMs} query={query.q} />
      <main id="main">
        <StaleBanner />
        <QueryNotes notes={note ? [...notes, note] : notes} />
        <LettersHead queue={queue.name} count={view.count} />
        <FacetToolbar path={PATH} query={query} facets={letterFacets({ queues: names, kinds: view.kinds, query })}>
          <QueryLine query={queryString(query)} />
        </FacetToolbar>
        <ListBar atMs={view.page.kind === "read" ? nowMs : null}>
          <LetterTabs path={PATH} query={query} states={filter.states} />
        </ListBar>
        <LetterList path={PATH} queue={queue.name} asked={asked} view={view} />
      </main>
    </>
  );
}

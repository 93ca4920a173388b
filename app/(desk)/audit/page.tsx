import "@/app/(desk)/audit/audit.css";
import type { Metadata } from "next";
import { connection } from "next/server";
import { AuditExport } from "@/app/(desk)/audit/audit-export";
import { auditFacets } from "@/app/(desk)/audit/audit-facets";
import { AuditList } from "@/app/(desk)/audit/audit-list";
import { auditFilter, readAuditQuery } from "@/app/(desk)/audit/audit-query";
import { CheckFindings, CheckLine } from "@/app/(desk)/audit/check-line";
import { StaleBanner } from "@/app/(desk)/live/stale-banner";
import { QueryNotes } from "@/components/queue/query-notes";
import { TopBar } from "@/components/shell/top-bar";
import { Banner } from "@/components/ui/banner";
import { FacetToolbar } from "@/components/ui/facet-toolbar";
import { queryString } from "@/components/ui/query";
import { QueryLine } from "@/components/ui/query-line";
import { requireViewer } from "@/lib/auth/guard";
import { readArchiveClock } from "@/lib/console/archive/read-review";
import { readAuditPage } from "@/lib/console/audit/read-page";
import { readDatabaseClock } from "@/lib/console/overview/read";
import { pools } from "@/lib/db/pools";

export const metadata: Metadata = { title: "Audit" };

const PATH = "/audit";
const ROWS = 100;

/** Who did what, when and why, and that nobody has changed it since. */
export default async function Page({ searchParams }: PageProps<"/audit">) {
  await connection();
  const viewer = await requireViewer();
  const asked = readAuditQuery(await searchParams);
  const { own } = pools();
  const clockMs = (await readDatabaseClock()) ?? (await readArchiveClock(own));
  const nowMs = clockMs ?? 0;
  const filter = auditFilter(asked, nowMs, viewer);
  const view = await readAuditPage(own, filter, { ...asked.place, limit: ROWS });
  return (
    <>
      <TopBar crumbs={[{ label: "Audit" }]} nowMs={clockMs} />
      <main id="main">
        <StaleBanner />
        <QueryNotes notes={asked.notes} />
        {view.gaps.length > 0 ? <Banner kind="partial">{view.gaps.join(" ")}</Banner> : null}
        <CheckFindings check={view.check} nowMs={nowMs} limited={filter.within !== undefined} />
        <div className="phead">
          <h1>Audit</h1>
          <span className="muted">
            Append only, kept for good, <CheckLine check={view.check} nowMs={nowMs} />
            {filter.within ? ". You see your own rows and those of your queues" : null}
          </span>
          <span className="end">
            <AuditExport query={asked.query} />
          </span>
        </div>
        <FacetToolbar path={PATH} query={asked.query} facets={auditFacets({ asked, choices: view.choices, nowMs })}>
          <QueryLine query={queryString(asked.query)} />
        </FacetToolbar>
        <AuditList path={PATH} asked={asked} page={view.page} nowMs={nowMs} />
      </main>
    </>
  );
}

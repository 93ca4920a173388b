import "@/app/(desk)/audit/audit.css";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { connection } from "next/server";
import { EntryHead } from "@/app/(desk)/audit/[id]/entry-head";
import { EntryMore } from "@/app/(desk)/audit/[id]/entry-more";
import { auditWithin } from "@/app/(desk)/audit/audit-query";
import { AuditTable } from "@/app/(desk)/audit/audit-table";
import { StaleBanner } from "@/app/(desk)/live/stale-banner";
import { ListUnread } from "@/components/queue/list-unread";
import { TopBar } from "@/components/shell/top-bar";
import { requireViewer } from "@/lib/auth/guard";
import { readArchiveClock } from "@/lib/console/archive/read-review";
import { archiveReading } from "@/lib/console/archive/reading";
import { findAuditEntry } from "@/lib/console/audit/find-entry";
import { readDatabaseClock } from "@/lib/console/overview/read";
import { pools } from "@/lib/db/pools";

type Props = PageProps<"/audit/[id]">;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Audit row ${(await params).id.slice(0, 20)}` };
}

/** One row of the audit with all that it says and where it stands, and the other rows of its operation. */
export default async function Page({ params }: Props) {
  await connection();
  const viewer = await requireViewer();
  const { id } = await params;
  if (!/^[1-9]\d{0,17}$/.test(id)) notFound();
  const { own } = pools();
  const clockMs = (await readDatabaseClock()) ?? (await readArchiveClock(own));
  const nowMs = clockMs ?? 0;
  const found = await archiveReading("audit_entry", () => findAuditEntry(own, id, auditWithin(viewer)));
  if (found.kind === "read" && found.value === null) notFound();
  const read = found.kind === "read" ? found.value : null;
  return (
    <>
      <TopBar crumbs={[{ label: "Audit", href: "/audit" }, { label: `Row ${id}` }]} nowMs={clockMs} />
      <main id="main">
        <StaleBanner />
        {found.kind !== "read" || read === null ? (
          <ListUnread
            title="This row could not be read"
            sentence={found.kind === "read" ? "" : found.sentence}
            code={found.kind === "failed" ? found.code : "not_configured"}
          />
        ) : (
          <>
            <EntryHead entry={read.entry} nowMs={nowMs} />
            <EntryMore entry={read.entry} facts={read.facts} />
            {read.operation.length > 1 ? (
              <section aria-labelledby="operation-h">
                <div className="sechead sec">
                  <h2 id="operation-h">All rows of its operation</h2>
                </div>
                <AuditTable label="Rows of the operation" entries={read.operation} nowMs={nowMs} />
              </section>
            ) : null}
          </>
        )}
      </main>
    </>
  );
}

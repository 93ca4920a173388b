import "@/app/(desk)/runbook/runbook.css";
import type { Metadata } from "next";
import { connection } from "next/server";
import { RunbookContents } from "@/app/(desk)/runbook/runbook-contents";
import { TopBar } from "@/components/shell/top-bar";
import { requireViewer } from "@/lib/auth/guard";
import { readDatabaseClock } from "@/lib/console/overview/read";
import { readRunbook } from "@/lib/console/runbook";

export const metadata: Metadata = { title: "Runbook" };

/** What to do, by what one sees: the project's own file, written out on the server. */
export default async function Page() {
  await connection();
  await requireViewer();
  const [{ html, sections }, nowMs] = await Promise.all([readRunbook(), readDatabaseClock()]);
  return (
    <>
      <TopBar crumbs={[{ label: "Runbook" }]} nowMs={nowMs} />
      <main id="main">
        <div className="phead">
          <h1>Runbook</h1>
          <span className="muted">What to do, by what you see</span>
        </div>
        <div className="runbook">
          <RunbookContents sections={sections} />
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own file; what renders it lets no HTML of it through. */}
          <article className="prose" dangerouslySetInnerHTML={{ __html: html }} />
        </div>
      </main>
    </>
  );
}

import "@/app/(desk)/dead-letters/groups.css";
import "@/app/(desk)/dead-letters/histogram.css";
import "@/app/(desk)/dead-letters/groups/[id]/group.css";
import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { connection } from "next/server";
import { ArchivedTable } from "@/app/(desk)/dead-letters/archived-table";
import { FixSection } from "@/app/(desk)/dead-letters/groups/[id]/fix-section";
import { GroupHead } from "@/app/(desk)/dead-letters/groups/[id]/group-head";
import { HitSection } from "@/app/(desk)/dead-letters/groups/[id]/hit-section";
import { NoteForm } from "@/app/(desk)/dead-letters/groups/[id]/note-form";
import { NotesList } from "@/app/(desk)/dead-letters/groups/[id]/notes-list";
import { Histogram, HistogramLegend } from "@/app/(desk)/dead-letters/histogram";
import { StaleBanner } from "@/app/(desk)/live/stale-banner";
import { ListUnread } from "@/components/queue/list-unread";
import { ReadWhenBack } from "@/components/queue/read-when-back";
import { TopBar } from "@/components/shell/top-bar";
import { ErrorPanel } from "@/components/ui/error-panel";
import { LinkButton } from "@/components/ui/link-button";
import { ListCursor } from "@/components/ui/list-cursor";
import { requireViewer } from "@/lib/auth/guard";
import { mayUse } from "@/lib/auth/may-use";
import { atLeast } from "@/lib/auth/role";
import { whyNotRole } from "@/lib/auth/why-not";
import { readGroupPage } from "@/lib/console/archive/read-group";
import { readArchiveClock } from "@/lib/console/archive/read-review";
import { archiveReading } from "@/lib/console/archive/reading";
import { readDatabaseClock } from "@/lib/console/overview/read";
import { pools } from "@/lib/db/pools";
import type { Reading } from "@/lib/domain/queue";

export const metadata: Metadata = { title: "Error" };

const CRUMBS = [{ label: "Dead letters", href: "/dead-letters" }, { label: "Error" }];

/** One cause over its whole life: how many, whom it hit, what became of them, and whether what was done helped. */
export default async function Page({ params }: PageProps<"/dead-letters/groups/[id]">) {
  await connection();
  const viewer = await requireViewer();
  const { id } = await params;
  if (!/^[1-9]\d{0,17}$/.test(id)) notFound();
  const { own } = pools();
  const clockMs = await readDatabaseClock();
  const nowMs = clockMs ?? (await readArchiveClock(own)) ?? 0;
  const read = await archiveReading("group", () => readGroupPage(own, id, nowMs));
  if (read.kind === "read" && (read.value === null || !mayUse(viewer, read.value.group.queue))) notFound();
  const page = read.kind === "read" ? read.value : null;
  return (
    <>
      <TopBar crumbs={CRUMBS} nowMs={clockMs} />
      <main id="main">
        <StaleBanner />
        {page === null ? (
          <Unread reading={read} groupId={id} />
        ) : (
          <>
            <GroupHead group={page.group} nowMs={nowMs} />
            <Part reading={page.trend} title="The letters over time">
              {(trend) => <Histogram bins={page.bins} found={trend} />}
            </Part>
            <div className="bar">
              <HistogramLegend />
            </div>
            <Part reading={page.fixes} title="What was done">
              {(fixes) => <FixSection fixes={fixes} counts={page.group.counts} nowMs={nowMs} />}
            </Part>
            <Part reading={page.hit} title="Whom it hit">
              {(hit) => <HitSection groupId={id} hit={hit} group={page.group} />}
            </Part>
            <Part reading={page.examples} title="The examples">
              {(letters) => (
                <section className="grouppart" aria-labelledby="examples-h">
                  <div className="sechead sec">
                    <h2 id="examples-h">Newest letters</h2>
                    <span className="end">
                      <LinkButton size="sm" href={`/dead-letters?state=all&group=${id}&view=list`}>
                        All letters
                      </LinkButton>
                    </span>
                  </div>
                  <ArchivedTable letters={letters} nowMs={nowMs} />
                  <ListCursor />
                </section>
              )}
            </Part>
            <Part reading={page.notes} title="The notes">
              {(notes) => (
                <section className="sec grouppart" aria-labelledby="notes-h">
                  <div className="sechead">
                    <h2 id="notes-h">Notes</h2>
                  </div>
                  {
                    <NoteForm
                      groupId={id}
                      forbidden={atLeast(viewer.role, "operator") ? null : whyNotRole(viewer.role, "operator")}
                    />
                  }
                  <NotesList notes={notes} nowMs={nowMs} />
                </section>
              )}
            </Part>
          </>
        )}
      </main>
    </>
  );
}

function Unread({ reading, groupId }: { reading: Reading<unknown>; groupId: string }) {
  if (reading.kind === "read") return null;
  const narrow = (
    <>
      Less is read of{" "}
      <Link className="link" href={`/dead-letters?state=all&group=${groupId}&died=24h&view=list`} prefetch={false}>
        its letters of the last 24 h
      </Link>
      .
    </>
  );
  return (
    <ListUnread
      title="The archive of dead letters could not be read"
      sentence={reading.sentence}
      code={reading.kind === "failed" ? reading.code : "not_configured"}
      narrow={narrow}
    />
  );
}

type PartProps<T> = { reading: Reading<T>; title: string; children: (value: T) => React.ReactNode };

/** A part of the page, or why it could not be read: the others go on. */
function Part<T>({ reading, title, children }: PartProps<T>) {
  if (reading.kind === "read") return children(reading.value);
  const code = reading.kind === "failed" ? reading.code : undefined;
  return (
    <ErrorPanel heading="h2" title={`${title} could not be read`} code={code}>
      {reading.sentence}
      <ReadWhenBack />
    </ErrorPanel>
  );
}

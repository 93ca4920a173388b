import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { connection } from "next/server";
import { StaleBanner } from "@/app/(desk)/live/stale-banner";
import { ReadWhenBack } from "@/components/queue/read-when-back";
import { shortId } from "@/components/queue/short-id";
import { TopBar } from "@/components/shell/top-bar";
import { ErrorPanel } from "@/components/ui/error-panel";
import { requireViewer } from "@/lib/auth/guard";
import { mayUse } from "@/lib/auth/may-use";
import { atLeast, type Who } from "@/lib/auth/role";
import { whyNotReveal } from "@/lib/auth/why-not";
import { config } from "@/lib/config";
import { type LetterPage, readLetterPage, storeOf } from "@/lib/console/letters/read-letter";
import { failedReading } from "@/lib/queues/failed-reading";
import { logLine } from "@/lib/queues/log-line";
import { ArchivedAside } from "./archived-aside";
import { EffectsSection } from "./effects-section";
import { ErrorSection } from "./error-section";
import { hasHiddenParts } from "./hidden-parts";
import { LetterHead } from "./letter-head";
import { PayloadSection } from "./payload-section";
import { RequeueAside } from "./requeue-aside";
import { RequeueProvider } from "./requeue-provider";
import { shownState } from "./shown-state";
import { TimelineSection } from "./timeline-section";

type Props = PageProps<"/dead-letters/[queue]/[id]">;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Letter ${shortId((await params).id)}` };
}

/** One dead letter: what it is, why it died, what a requeue would do, and the guarded way back. */
export default async function Page({ params }: Props) {
  await connection();
  const viewer = await requireViewer();
  const { queue, id } = await params;
  const crumbs = [
    { label: "Dead letters", href: "/dead-letters" },
    { label: queue },
    { label: shortId(id), mono: true },
  ];
  let page: LetterPage | null;
  try {
    page = mayUse(viewer, queue) ? await readLetterPage(queue, id, viewer.userId) : null;
  } catch (error) {
    const { sentence, code } = failedReading(error, storeOf(queue));
    logLine({ event: "letter_unread", queue, error: (error as Error).message });
    return (
      <>
        <TopBar crumbs={crumbs} nowMs={null} />
        <main id="main">
          <ErrorPanel heading="h1" title="This letter could not be read" code={code} atMs={Date.now()}>
            {sentence} The letter itself is untouched. Reload to try again.
            <ReadWhenBack />
          </ErrorPanel>
        </main>
      </>
    );
  }
  if (page === null) notFound();
  const { preflight, operations, from } = page;
  const kept = page.kept.kind === "read" ? page.kept.value : null;
  // The latest of the page's readings is what the clock shows.
  const nowMs = Math.max(page.letter.atMs, preflight?.kind === "read" ? preflight.value.readMs : 0);
  const letter = { ...page.letter, atMs: nowMs };
  const mayRequeue = atLeast(viewer.role, "operator");
  return (
    <>
      <TopBar crumbs={crumbs} nowMs={nowMs} />
      <main id="main">
        <StaleBanner />
        <RequeueProvider
          key={letter.id}
          queue={letter.queue}
          letterId={letter.id}
          kind={letter.kind}
          active={from.kind === "store" && letter.state === "active"}
          mayRequeue={mayRequeue}
          readPreflight={preflight}
          lastOperation={lastOperationOf(page)}
        >
          <div className="two rail-first">
            <div>
              <LetterHead letter={letter} state={shownState(page)} />
              <ErrorSection error={letter.error} bytes={letter.errorBytes} />
              <EffectsSection />
              <PayloadSection payload={letter.payload} reveal={revealOf(page, viewer)} />
              <TimelineSection letter={letter} operations={operations} />
            </div>
            {from.kind !== "store" && kept ? (
              <ArchivedAside kept={kept} queue={letter.queue} from={from} />
            ) : (
              <RequeueAside
                role={viewer.role}
                environment={config().envName}
                storeState={letter.state}
                requeuedMs={letter.requeuedMs}
                resolution={kept?.state === "resolved" ? kept.resolution : null}
                nowMs={nowMs}
              />
            )}
          </div>
        </RequeueProvider>
      </main>
    </>
  );
}

/** Whether there is anything to reveal, and whether this viewer may; the archive keeps nothing that is hidden. */
function revealOf({ letter, from }: LetterPage, viewer: Who) {
  if (from.kind !== "store" || !hasHiddenParts(letter)) return null;
  return { stop: viewer.reveal ? null : whyNotReveal() };
}

function lastOperationOf({ letter, operations }: LetterPage) {
  if (operations.kind !== "read") return null;
  return operations.value.findLast((operation) => operation.letterId === letter.id) ?? null;
}

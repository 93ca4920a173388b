"use client";

import type { ReactNode } from "react";
import { DemoPanel } from "@/app/(desk)/demo/demo-panel";
import { StaleBanner } from "@/app/(desk)/live/stale-banner";
import { useHistory } from "@/app/(desk)/live/use-history";
import { useOverview } from "@/app/(desk)/live/use-overview";
import { ImpactSection } from "@/app/(desk)/overview/impact-section";
import { OldestSection } from "@/app/(desk)/overview/oldest-section";
import { QueueTable } from "@/app/(desk)/overview/queue-table";
import { StatusSection } from "@/app/(desk)/overview/status-section";
import type { History } from "@/lib/domain/history";
import type { Overview } from "@/lib/domain/overview";
import type { Reading } from "@/lib/domain/queue";
import { statusOf } from "@/lib/domain/status";

type Props = {
  initial: Overview;
  initialHistory: Reading<History>;
  /** Why this person may not change the demo; null: they may. */
  forbidden: string | null;
  /** What stays as it is: below the demo, or alone. */
  children: ReactNode;
};

/** The parts of the Overview that move by themselves, all from the desk's one reading. */
export function OverviewLive({ initial, initialHistory, forbidden, children }: Props) {
  const { overview, stale } = useOverview(initial);
  const { history, problem } = useHistory(initialHistory);
  const byName = new Map(history?.queues.map((each) => [each.name, each]));
  return (
    <>
      <StaleBanner />
      <StatusSection status={statusOf(overview, byName)} stale={stale} />
      <QueueTable queues={overview.queues} stale={stale} />
      <ImpactSection queues={overview.queues} stale={stale} />
      <div className="half">
        <OldestSection history={history} problem={problem} />
        <div>
          {overview.demo ? <DemoPanel demo={overview.demo} forbidden={forbidden} stale={stale} /> : null}
          {children}
        </div>
      </div>
    </>
  );
}

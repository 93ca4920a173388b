"use client";

import { type ReactNode, useMemo } from "react";
import { ChartsLive } from "@/app/(desk)/charts/charts-live";
import { RangeLinks } from "@/app/(desk)/charts/range-links";
import { DemoPanel } from "@/app/(desk)/demo/demo-panel";
import { StaleBanner } from "@/app/(desk)/live/stale-banner";
import { useOverview } from "@/app/(desk)/live/use-overview";
import { useRecent } from "@/app/(desk)/live/use-recent";
import { ImpactSection } from "@/app/(desk)/overview/impact-section";
import { QueueTable } from "@/app/(desk)/overview/queue-table";
import { SignalsSection } from "@/app/(desk)/overview/signals-section";
import { StatusSection } from "@/app/(desk)/overview/status-section";
import type { ChartRange } from "@/lib/domain/chart-range";
import type { History } from "@/lib/domain/history";
import type { Overview } from "@/lib/domain/overview";
import type { Reading } from "@/lib/domain/queue";
import type { Recent } from "@/lib/domain/recent";
import { signalsOf } from "@/lib/domain/signals";
import { statusOf } from "@/lib/domain/status";

type Props = {
  initial: Overview;
  initialRecent: Reading<Recent>;
  range: ChartRange;
  initialHistory: Reading<History>;
  /** Why this person may not change the demo; null: they may. */
  forbidden: string | null;
  /** What stays as it is: below the demo, or alone. */
  children: ReactNode;
};

const NO_QUERY = {};

/** The parts of the Overview that move by themselves, all from the desk's one reading. */
export function OverviewLive({ initial, initialRecent, range, initialHistory, forbidden, children }: Props) {
  const { overview, stale } = useOverview(initial);
  const { recent, problem } = useRecent(initialRecent);
  const queues = recent?.queues ?? [];
  const byName = new Map(queues.map((each) => [each.name, each]));
  const configured = overview.queues.filter(({ depths }) => depths.kind !== "not_configured");
  const names = useMemo(() => configured.map(({ name }) => name), [configured]);
  return (
    <>
      <StaleBanner />
      <StatusSection status={statusOf(overview, byName)} stale={stale} />
      <QueueTable queues={overview.queues} recent={queues} stale={stale || problem !== null} />
      <ImpactSection queues={overview.queues} stale={stale} />
      <div className="bar">
        <RangeLinks path="/" query={NO_QUERY} range={range} />
      </div>
      <div className="trio">
        <ChartsLive range={range} initial={initialHistory} names={names} path="/" query={NO_QUERY} />
        <aside aria-label="Signals, demo and gaps">
          <SignalsSection signals={signalsOf(overview.queues, queues)} />
          {overview.demo ? <DemoPanel demo={overview.demo} forbidden={forbidden} stale={stale} /> : null}
          {children}
        </aside>
      </div>
    </>
  );
}

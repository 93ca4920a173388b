"use client";

import { StaleBanner } from "@/app/(desk)/live/stale-banner";
import { useHistory } from "@/app/(desk)/live/use-history";
import { useOverview } from "@/app/(desk)/live/use-overview";
import { QueueTable } from "@/app/(desk)/overview/queue-table";
import { StatusSection } from "@/app/(desk)/overview/status-section";
import type { History } from "@/lib/domain/history";
import type { Overview } from "@/lib/domain/overview";
import type { Reading } from "@/lib/domain/queue";
import { statusOf } from "@/lib/domain/status";

type Props = { initial: Overview; initialHistory: Reading<History> };

/** The parts of the Overview that move by themselves, all from the desk's one reading. */
export function OverviewLive({ initial, initialHistory }: Props) {
  const overview = useOverview(initial);
  const history = useHistory(initialHistory);
  const byName = new Map(history.kind === "read" ? history.value.queues.map((each) => [each.name, each]) : []);
  return (
    <>
      <StaleBanner initial={initial} />
      <StatusSection status={statusOf(overview, byName)} />
      <QueueTable queues={overview.queues} />
    </>
  );
}

import "./charts/charts.css";
import "./overview/overview.css";
import type { Metadata } from "next";
import { connection } from "next/server";
import { GapsSection } from "@/app/(desk)/overview/gaps-section";
import { OverviewLive } from "@/app/(desk)/overview/overview-live";
import { TopBar } from "@/components/shell/top-bar";
import { requireViewer } from "@/lib/auth/guard";
import { atLeast } from "@/lib/auth/role";
import { readGaps } from "@/lib/console/overview/gaps";
import { readHistory } from "@/lib/console/overview/history";
import { historyOfQueues, ofQueues, recentOfQueues } from "@/lib/console/overview/of-queues";
import { readOverview } from "@/lib/console/overview/read";
import { readRecent } from "@/lib/console/overview/recent";
import { rangeParams, readChartRange } from "@/lib/domain/chart-range";
import { clockOf } from "@/lib/domain/overview-facts";

export const metadata: Metadata = { title: "Overview" };

/** What is wrong, what is already fine, and every queue's numbers; kept current by itself. */
export default async function Page({ searchParams }: PageProps<"/">) {
  await connection();
  const viewer = await requireViewer();
  const { role } = viewer;
  const range = readChartRange(rangeParams(await searchParams));
  const [overview, recent, history, gaps] = await Promise.all([
    readOverview().then(ofQueues(viewer)),
    readRecent().then(recentOfQueues(viewer)),
    readHistory(range).then(historyOfQueues(viewer)),
    readGaps(),
  ]);
  const forbidden = atLeast(role, "operator") ? null : `Changing the demo needs the operator role. You are a ${role}.`;
  return (
    <>
      <TopBar crumbs={[{ label: "Overview" }]} nowMs={clockOf(overview)} />
      <main id="main">
        <OverviewLive
          initial={overview}
          initialRecent={recent}
          range={range}
          initialHistory={history}
          forbidden={forbidden}
        >
          <GapsSection gaps={gaps} />
        </OverviewLive>
      </main>
    </>
  );
}

import type { Metadata } from "next";
import { connection } from "next/server";
import { OverviewLive } from "@/app/(desk)/overview/overview-live";
import { TopBar } from "@/components/shell/top-bar";
import { requireViewer } from "@/lib/auth/guard";
import { readHistory } from "@/lib/console/overview/history";
import { readOverview } from "@/lib/console/overview/read";
import { clockOf } from "@/lib/domain/overview";

export const metadata: Metadata = { title: "Overview" };

/** What is wrong, what is already fine, and every queue's numbers; kept current by itself. */
export default async function Page() {
  await connection();
  await requireViewer();
  const [overview, history] = await Promise.all([readOverview(), readHistory()]);
  return (
    <>
      <TopBar crumbs={[{ label: "Overview" }]} nowMs={clockOf(overview)} />
      <main id="main">
        <OverviewLive initial={overview} initialHistory={history} />
      </main>
    </>
  );
}

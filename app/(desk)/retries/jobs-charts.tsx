import Link from "next/link";
import { ChartsLive } from "@/app/(desk)/charts/charts-live";
import { RangeLinks } from "@/app/(desk)/charts/range-links";
import { type Query, queryString } from "@/components/ui/query";
import { requireViewer } from "@/lib/auth/guard";
import { readHistory } from "@/lib/console/overview/history";
import { historyOfQueues } from "@/lib/console/overview/of-queues";
import { DEFAULT_SPAN, type RangeParams, readChartRange } from "@/lib/domain/chart-range";

type Props = { path: string; query: Query; queue: string; params: RangeParams };

/** The queue over time, where the address asks for it: the rows come first. */
export async function JobsCharts({ path, query, queue, params }: Props) {
  const open = params.range !== undefined || params.from !== undefined;
  if (!open) {
    return (
      <p className="overtime">
        <Link
          className="link"
          href={path + queryString({ ...query, range: DEFAULT_SPAN })}
          prefetch={false}
          scroll={false}
        >
          Show the backlog over time
        </Link>
      </p>
    );
  }
  const range = readChartRange(params);
  const history = await readHistory(range).then(historyOfQueues(await requireViewer()));
  return (
    <section aria-label="Backlog over time">
      <div className="overtime">
        <RangeLinks path={path} query={query} range={range} always />
        <Link className="link" href={path + queryString(query)} prefetch={false} scroll={false}>
          Hide the charts
        </Link>
      </div>
      <div className="duo">
        <ChartsLive range={range} initial={history} names={[queue]} path={path} query={query} />
      </div>
    </section>
  );
}

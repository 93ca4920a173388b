"use client";

import dynamic from "next/dynamic";
import { useHistory } from "@/app/(desk)/live/use-history";
import { ErrorPanel } from "@/components/ui/error-panel";
import type { Query } from "@/components/ui/query";
import type { ChartRange } from "@/lib/domain/chart-range";
import type { History } from "@/lib/domain/history";
import type { Reading } from "@/lib/domain/queue";

const Charts = dynamic(() => import("@/app/(desk)/charts/charts"), {
  ssr: false,
  loading: () => <Waiting />,
});

function Waiting() {
  return (
    <>
      <div className="chartwait" aria-busy="true" />
      <div className="chartwait" aria-busy="true" />
    </>
  );
}

type Props = {
  range: ChartRange;
  initial: Reading<History>;
  names: readonly string[];
  path: string;
  query: Query;
};

/** The charts of a range, kept current by themselves; two columns of whatever they stand in. */
export function ChartsLive({ range, initial, names, path, query }: Props) {
  const { history, problem } = useHistory(range, initial);
  if (history === null) {
    return (
      <div>
        <ErrorPanel title="The charts could not be read">{problem} The rest of the page is not affected.</ErrorPanel>
      </div>
    );
  }
  return (
    <>
      {problem ? <p className="chartsold">The charts stand still: {problem}</p> : null}
      <Charts history={history} names={names} path={path} query={query} />
    </>
  );
}

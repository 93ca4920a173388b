"use client";

import dynamic from "next/dynamic";
import { useSeen } from "@/app/(desk)/charts/use-seen";
import { useHistory } from "@/app/(desk)/live/use-history";
import { ErrorPanel } from "@/components/ui/error-panel";
import type { Query } from "@/components/ui/query";
import type { ChartRange } from "@/lib/domain/chart-range";
import type { History } from "@/lib/domain/history";
import type { Reading } from "@/lib/domain/queue";

// What draws them is as large as the rest of a page: it comes when they are in view and the page has come to rest.
const Charts = dynamic(() => import("@/app/(desk)/charts/charts"), { ssr: false, loading: () => <Waiting /> });

/** The place of two columns of charts, so that nothing jumps when they come. */
function Waiting({ place }: { place?: (element: Element | null) => (() => void) | undefined }) {
  return (
    <>
      <div className="chartwait" aria-busy="true" ref={place} />
      <div className="chartwait" />
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
  const { seen, ref } = useSeen();
  if (history === null) {
    return (
      <div>
        <ErrorPanel title="The charts could not be read">{problem} The rest of the page is not affected.</ErrorPanel>
      </div>
    );
  }
  if (!seen) return <Waiting place={ref} />;
  return <Charts history={history} problem={problem} names={names} path={path} query={query} />;
}

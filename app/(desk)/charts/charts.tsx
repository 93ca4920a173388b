"use client";

import { BacklogSections, OutcomeSections } from "@/app/(desk)/charts/chart-sections";
import { useChoose } from "@/app/(desk)/charts/use-choose";
import { ChartBoard } from "@/components/charts/board";
import type { Query } from "@/components/ui/query";
import type { History } from "@/lib/domain/history";

export type ChartsProps = {
  history: History;
  /** Why these are the last values; null: they are current. */
  problem: string | null;
  names: readonly string[];
  path: string;
  query: Query;
};

/** The charts of some queues on one board. Loaded by itself: what draws them is larger than the rest of a page. */
export default function Charts({ history, problem, names, path, query }: ChartsProps) {
  const choose = useChoose(path, query);
  return (
    <ChartBoard choose={choose}>
      <div>
        {problem ? <p className="muted chartsold">The charts stand still: {problem}</p> : null}
        <BacklogSections history={history} names={names} />
      </div>
      <div className="outcomes">
        <OutcomeSections history={history} names={names} />
      </div>
    </ChartBoard>
  );
}

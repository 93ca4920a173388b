"use client";

import Link from "next/link";
import { Fragment, useMemo } from "react";
import { ChartFigure } from "@/components/charts/figure";
import { Plot } from "@/components/charts/plot";
import { countTicks } from "@/components/charts/scale";
import type { Deaths, History } from "@/lib/domain/history";
import { proseDuration, utcSpan } from "@/lib/domain/time";

const number = (value: number) => value.toLocaleString("en-US");

/** New dead letters by kind: a small plot each, all on one scale, so that kinds need no colours and can be compared. */
export function NewDeaths({ history, deaths }: { history: History; deaths: readonly Deaths[] }) {
  const { counts: bins, marks } = history;
  const ticks = useMemo(() => countTicks(Math.max(0, ...deaths.flatMap((each) => each.counts))), [deaths]);
  const span = utcSpan(history.fromMs, history.toMs);
  const listed = deaths.map(({ kind, total }) => `${kind} ${number(total)}`).join(", ");
  return (
    <ChartFigure
      sentence={`New dead letters by kind, ${span}, each bar ${proseDuration(bins.widthMs)}: ${listed}.`}
      title="New dead letters by kind"
      bins={bins}
      reads={deaths.map(({ kind, counts }) => ({ name: kind, swatch: "c-dead", values: counts, text: number }))}
      marks={marks}
    >
      {deaths.map((each, index) => (
        <Fragment key={`${each.queue} ${each.kind}`}>
          <div className="mini">
            <Link className="k2" href={`/dead-letters?kind=${encodeURIComponent(each.kind)}`} prefetch={false}>
              {each.kind}
            </Link>
            <b>{number(each.total)}</b>
          </div>
          <KindPlot height={index === 0 ? 120 : 52} ticks={ticks} deaths={each} />
        </Fragment>
      ))}
    </ChartFigure>
  );
}

function KindPlot({ height, ticks, deaths }: { height: number; ticks: number[]; deaths: Deaths }) {
  const series = useMemo(
    () => [{ name: deaths.kind, color: "var(--dead-fill)", values: deaths.counts, as: "bars" as const }],
    [deaths],
  );
  return <Plot height={height} ticks={ticks} tickText={number} series={series} />;
}

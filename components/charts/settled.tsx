"use client";

import { Fragment, useMemo } from "react";
import { ChartFigure } from "@/components/charts/figure";
import { Plot, type Series } from "@/components/charts/plot";
import { countTicks } from "@/components/charts/scale";
import type { Column, History, QueueHistory } from "@/lib/domain/history";
import { proseDuration, utcSpan } from "@/lib/domain/time";

const number = (value: number) => value.toLocaleString("en-US");

/** What left a queue and what failed in it, by time: done and failed on one scale, under each other. */
export function Settled({ history, queue }: { history: History; queue: QueueHistory }) {
  const { counts: bins, marks } = history;
  const { done, failed } = queue;
  const plots = useMemo((): { name: string; series: Series[] }[] => {
    const of = (name: string, values: Column, color: string) => ({
      name,
      series: [{ name, values, color, as: "bars" as const }],
    });
    return [
      ...(done ? [of("Done", done, "var(--ok-fill)")] : []),
      ...(failed ? [of("Failed", failed, "var(--retrying-fill)")] : []),
    ];
  }, [done, failed]);
  const ticks = useMemo(
    () => countTicks(Math.max(0, ...[done, failed].flatMap((each) => each ?? []).map(Number))),
    [done, failed],
  );
  if (plots.length === 0) return null;
  const total = (column: Column | null) => number((column ?? []).reduce<number>((sum, value) => sum + (value ?? 0), 0));
  return (
    <ChartFigure
      sentence={`Settled in ${queue.name}, ${utcSpan(history.fromMs, history.toMs)}, each bar ${proseDuration(bins.widthMs)}: ${total(done)} done, ${total(failed)} attempts failed.`}
      title={`Done and failed in ${queue.name}`}
      bins={bins}
      reads={plots.map(({ name, series }) => ({
        name: name.toLowerCase(),
        swatch: name === "Done" ? "c-ok" : "c-retrying",
        values: series[0]?.values ?? [],
        text: number,
      }))}
      marks={marks}
    >
      {plots.map(({ name, series }) => (
        <Fragment key={name}>
          <div className="plh">
            <span>{name}</span>
            <b>{total(series[0]?.values ?? [])}</b>
          </div>
          <Plot height={84} ticks={ticks} tickText={number} series={series} />
        </Fragment>
      ))}
    </ChartFigure>
  );
}

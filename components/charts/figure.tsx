"use client";

import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { useBoard } from "@/components/charts/board";
import { ChartTable } from "@/components/charts/chart-table";
import { Marks } from "@/components/charts/marks";
import { timeTicks, timeTickText } from "@/components/charts/scale";
import { Scrub } from "@/components/charts/scrub";
import type { ChartMark, Column, HistoryBins } from "@/lib/domain/history";
import { utcClock, utcFull } from "@/lib/domain/time";

/** One series as it is read: in the tooltip, by the keys and in the table. */
export type Read = {
  name: string;
  /** Of its swatch. */
  swatch: string;
  values: Column;
  text(value: number): string;
};

type Props = {
  /** What the figure says, in one sentence for those who do not see it. */
  sentence: string;
  /** What the table is of. */
  title: string;
  bins: HistoryBins;
  reads: readonly Read[];
  marks: readonly ChartMark[];
  legend?: ReactNode;
  children: ReactNode;
};

const DAY = 86_400_000;

/** Plots under each other with one axis of time, one crosshair, the marks of what was done, and the same as a table. */
export function ChartFigure({ sentence, title, bins, reads, marks, legend, children }: Props) {
  const { atMs, reader } = useBoard();
  const [table, setTable] = useState(false);
  const { fromMs, widthMs, count } = bins;
  const toMs = fromMs + count * widthMs;
  const bin = atMs === null || atMs < fromMs || atMs >= toMs ? null : Math.floor((atMs - fromMs) / widthMs);
  const stampOf = (at: number) =>
    toMs - fromMs > DAY ? utcFull(at).replace(/:\d\d UTC/, " UTC") : `${utcClock(at)} UTC`;
  const said = (read: Read, of: number) => {
    const value = read.values[of] ?? null;
    return value === null ? "no reading" : read.text(value);
  };
  const label = `${title}, by time`;
  const textOf = (of: number) =>
    `${stampOf(fromMs + of * widthMs)}: ${reads.map((read) => `${read.name} ${said(read, of)}`).join(", ")}`;
  return (
    <figure className="chart annotated" aria-label={sentence}>
      <div className="plots">
        {children}
        <Marks bins={bins} marks={marks} />
        <Scrub label={label} bins={bins} textOf={textOf} />
        {bin === null || reader !== label ? null : (
          <Tip share={(bin + 0.5) / count}>
            <h4>{stampOf(fromMs + bin * widthMs)}</h4>
            {reads.map((read) => (
              <div key={read.name}>
                <span>
                  <i className={`sw ${read.swatch}`} aria-hidden="true" />
                  {read.name}
                </span>
                <b>{said(read, bin)}</b>
              </div>
            ))}
          </Tip>
        )}
        <svg className="xax" aria-hidden="true">
          {timeTicks(fromMs, toMs).map((tick, index, all) => (
            <text
              key={tick}
              className="ax"
              x={`${((tick - fromMs) / (toMs - fromMs)) * 100}%`}
              y="12"
              textAnchor={index === 0 ? "start" : index === all.length - 1 ? "end" : "middle"}
            >
              {timeTickText(tick, toMs - fromMs)}
            </text>
          ))}
        </svg>
      </div>
      {legend ? <figcaption>{legend}</figcaption> : null}
      <button type="button" className="link astable" aria-expanded={table} onClick={() => setTable(!table)}>
        {table ? "Hide the table" : "Show as table"}
      </button>
      {table ? <ChartTable title={title} bins={bins} reads={reads} stampOf={stampOf} said={said} /> : null}
    </figure>
  );
}

/** Beside the crosshair, on the side that has room. */
function Tip({ share, children }: { share: number; children: ReactNode }) {
  const tip = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const plots = tip.current?.parentElement;
    if (!tip.current || !plots) return;
    // By the object model: a strict CSP takes no style from the markup.
    const left = 34 + share * (plots.clientWidth - 34);
    const width = tip.current.offsetWidth;
    tip.current.style.left = `${left + 12 + width > plots.clientWidth ? Math.max(0, left - 12 - width) : left + 12}px`;
  });
  return (
    <div className="ctip" ref={tip} aria-hidden="true">
      {children}
    </div>
  );
}

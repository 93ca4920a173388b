"use client";

import { useState } from "react";
import { useCrosshair } from "@/components/charts/crosshair";
import { OldestTable } from "@/components/charts/oldest-table";
import { type AgePoint, ageTicks, ageTickText, stretches, timeTicks } from "@/components/charts/scale";
import { duration, utcClock, utcMinute } from "@/lib/domain/time";

const GRID = 1_000;

type Props = {
  /** The queue, for the sentence that describes the figure. */
  name: string;
  /** Readings by time; `ageMs` null where there was none. An empty queue is 0. */
  readings: readonly AgePoint[];
  fromMs: number;
  toMs: number;
  /** A silence longer than this is a gap: a few sampling intervals. */
  gapMs?: number;
};

/** What the figure says, in one sentence for those who do not see it. */
function sentenceOf(name: string, readings: readonly AgePoint[], fromMs: number, toMs: number): string {
  const span = `Oldest age of ${name}, ${utcMinute(fromMs)} to ${utcMinute(toMs)} UTC`;
  const known = readings.flatMap((each) => (each.ageMs === null ? [] : [each.ageMs]));
  const last = known.at(-1);
  if (last === undefined) return `${span}: no readings.`;
  return `${span}: at most ${duration(Math.max(...known))}, now ${duration(last)}.`;
}

/**
 * Oldest age of a queue over time. Age is 0 based, time runs in UTC with both ends named, a gap in the readings is a
 * gap. Hover or the arrow keys read single values; the same values are in a table below.
 */
export function OldestLine({ name, readings, fromMs, toMs, gapMs = 30_000 }: Props) {
  const [table, setTable] = useState(false);
  const ticks = ageTicks(Math.max(0, ...readings.map((each) => each.ageMs ?? 0)));
  const topMs = ticks.at(-1) ?? 1;
  const x = (atMs: number) => ((atMs - fromMs) / (toMs - fromMs)) * GRID;
  const y = (ageMs: number) => 100 - (ageMs / topMs) * 100;
  const crosshair = useCrosshair(readings.map((each) => x(each.atMs) / GRID));
  const read = crosshair.index === null ? undefined : readings[crosshair.index];
  return (
    <figure className="chart" aria-label={sentenceOf(name, readings, fromMs, toMs)}>
      <div className="pl h-84" {...crosshair.plot}>
        <svg aria-hidden="true">
          {ticks.map((tick) => (
            <g key={tick}>
              <line
                className={tick === 0 ? "grid zero" : "grid"}
                x1="0"
                x2="100%"
                y1={`${y(tick)}%`}
                y2={`${y(tick)}%`}
              />
              <text className="ax" x="-8" y={`${y(tick)}%`} dy="4" textAnchor="end">
                {ageTickText(tick)}
              </text>
            </g>
          ))}
          <svg viewBox={`0 0 ${GRID} 100`} preserveAspectRatio="none" width="100%" height="100%" aria-hidden="true">
            {stretches(readings, gapMs).map((part) => {
              const line = part.map(({ atMs, ageMs }) => `${x(atMs).toFixed(1)},${y(ageMs).toFixed(2)}`).join("L");
              const from = x(part[0]?.atMs ?? fromMs).toFixed(1);
              const to = x(part.at(-1)?.atMs ?? toMs).toFixed(1);
              return (
                <g key={part[0]?.atMs}>
                  <path className="ln-area" d={`M${from},100L${line}L${to},100Z`} />
                  <path className="ln" d={`M${line}`} vectorEffect="non-scaling-stroke" strokeLinecap="round" />
                </g>
              );
            })}
          </svg>
          {read ? (
            <line className="xhair" x1={`${x(read.atMs) / 10}%`} x2={`${x(read.atMs) / 10}%`} y1="0" y2="100%" />
          ) : null}
        </svg>
        {read ? (
          <div className="ctip" ref={crosshair.tip}>
            <h4>{utcClock(read.atMs)} UTC</h4>
            <div>
              <span>Oldest</span>
              <b>{read.ageMs === null ? "no reading" : duration(read.ageMs)}</b>
            </div>
          </div>
        ) : null}
      </div>
      <svg className="xax" aria-hidden="true">
        {timeTicks(fromMs, toMs).map((tick, index, all) => (
          <text
            key={tick}
            className="ax"
            x={`${x(tick) / 10}%`}
            y="12"
            textAnchor={index === 0 ? "start" : index === all.length - 1 ? "end" : "middle"}
          >
            {utcMinute(tick)}
          </text>
        ))}
      </svg>
      <button type="button" className="link astable" aria-expanded={table} onClick={() => setTable(!table)}>
        {table ? "Hide the table" : "Show as table"}
      </button>
      {table ? <OldestTable name={name} readings={readings} /> : null}
    </figure>
  );
}

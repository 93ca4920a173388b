"use client";

import { memo } from "react";
import { Area, ComposedChart, Line, ResponsiveContainer, XAxis, YAxis } from "recharts";
import { BarShape } from "@/components/charts/bar-shape";
import type { Column } from "@/lib/domain/history";

/** One series of a plot. `stack`: the next one stands on it. */
export type Series = { name: string; color: string; values: Column; as: "bars" | "stack" | "line" };

type Props = {
  height: number;
  /** Marks of the axis from 0 up; the last is the top. */
  ticks: readonly number[];
  tickText(value: number): string;
  series: readonly Series[];
};

/** Before the browser has measured it. */
const FIRST_WIDTH = 420;

/**
 * Series over equal bins, each of which has its place whether it was told or not: bars for counts, a line for a level;
 * a gap in the data is a gap. The axis of time and the crosshair are its figure's.
 */
export const Plot = memo(function Plot({ height, ticks, tickText, series }: Props) {
  const top = ticks.at(-1) ?? 1;
  const bins = Math.max(0, ...series.map(({ values }) => values.length));
  const tops = topsOf(series);
  const rows = Array.from({ length: bins }, (_, bin) =>
    Object.fromEntries([["bin", bin], ...tops.map((values, index) => [`s${index}`, values[bin] ?? null])]),
  );
  return (
    <div className={`pl h-${height}`}>
      <svg aria-hidden="true">
        {ticks.map((tick) => {
          const y = `${100 - (tick / top) * 100}%`;
          return (
            <g key={tick}>
              <line className={tick === 0 ? "grid zero" : "grid"} x1="0" x2="100%" y1={y} y2={y} />
              <text className="ax" x="-8" y={y} dy="4" textAnchor="end">
                {tickText(tick)}
              </text>
            </g>
          );
        })}
      </svg>
      <ResponsiveContainer width="100%" height={height} initialDimension={{ width: FIRST_WIDTH, height }}>
        <ComposedChart data={rows} margin={{ top: 0, right: 0, bottom: 0, left: 0 }} accessibilityLayer={false}>
          <XAxis dataKey="bin" scale="band" hide />
          <YAxis domain={[0, top]} allowDataOverflow hide />
          {/* The top of a stack is painted first, and what it stands on over it. */}
          {series.map((each, index) => drawn(each, `s${index}`, height)).reverse()}
        </ComposedChart>
      </ResponsiveContainer>
    </div>
  );
});

/** Where each series ends: of a stack, on top of those before it. A bin that was not told has no top. */
function topsOf(series: readonly Series[]): Column[] {
  const tops: Column[] = [];
  for (const [index, { values, as }] of series.entries()) {
    const below = as === "stack" ? tops[index - 1] : undefined;
    tops.push(values.map((value, bin) => (value === null ? null : value + (below?.[bin] ?? 0))));
  }
  return tops;
}

function drawn({ name, color, as }: Series, key: string, height: number) {
  const still = {
    dataKey: key,
    name,
    isAnimationActive: false,
    dot: false,
    activeDot: false,
    connectNulls: false,
  } as const;
  switch (as) {
    case "bars":
    case "stack":
      return (
        <Line
          key={key}
          {...still}
          type="linear"
          shape={({ points }: { points?: readonly { x: number | null; y: number | null }[] }) => (
            <BarShape points={points ?? []} color={color} base={height} />
          )}
        />
      );
    case "line":
      return (
        <Area key={key} {...still} type="linear" stroke={color} strokeWidth={1.5} fill="var(--grid)" fillOpacity={1} />
      );
    default:
      return as satisfies never;
  }
}

"use client";

import { memo } from "react";
import { Area, Bar, ComposedChart, Line, ResponsiveContainer, XAxis, YAxis } from "recharts";
import type { Column } from "@/lib/domain/history";

/** One series of a plot. `stack`: the next one stands on it. */
export type Series = { name: string; color: string; values: Column; as: "bars" | "stack" | "line" | "dashed" };

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
  const rows = Array.from({ length: bins }, (_, bin) =>
    Object.fromEntries([["bin", bin], ...series.map(({ values }, index) => [`s${index}`, values[bin] ?? null])]),
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
        <ComposedChart
          data={rows}
          margin={{ top: 0, right: 0, bottom: 0, left: 0 }}
          barCategoryGap="14%"
          barGap={0}
          accessibilityLayer={false}
        >
          <XAxis dataKey="bin" hide />
          <YAxis domain={[0, top]} allowDataOverflow hide />
          {series.map((each, index) => drawn(each, `s${index}`))}
        </ComposedChart>
      </ResponsiveContainer>
    </div>
  );
});

function drawn({ name, color, as }: Series, key: string) {
  const still = { dataKey: key, name, isAnimationActive: false as const };
  switch (as) {
    case "bars":
      return <Bar key={key} {...still} fill={color} />;
    case "stack":
      return <Bar key={key} {...still} fill={color} stackId="stack" />;
    case "line":
      return (
        <Area
          key={key}
          {...still}
          type="linear"
          stroke={color}
          strokeWidth={1.5}
          fill="var(--grid)"
          fillOpacity={1}
          dot={false}
          activeDot={false}
          connectNulls={false}
        />
      );
    case "dashed":
      return (
        <Line
          key={key}
          {...still}
          type="linear"
          stroke={color}
          strokeWidth={1.25}
          strokeDasharray="3 2"
          dot={false}
          activeDot={false}
          connectNulls={false}
        />
      );
    default:
      return as satisfies never;
  }
}

import type { ReactNode } from "react";
import { HistogramTable } from "@/app/(desk)/dead-letters/histogram-table";
import { Marks } from "@/components/charts/marks";
import { countTicks, timeTicks } from "@/components/charts/scale";
import type { HistogramBin } from "@/lib/console/archive/histogram";
import type { Bins } from "@/lib/domain/bins";
import type { ChartMark } from "@/lib/domain/history";
import { countParts, STATE_PARTS } from "@/lib/domain/state-parts";
import { proseDuration, utcDate, utcMinute } from "@/lib/domain/time";

type Props = {
  bins: Bins;
  found: readonly HistogramBin[];
  /** What is said of the chosen stretch, after the rest. */
  chosen?: string;
  /** What was done in this time. */
  marks?: readonly ChartMark[];
  /** Lies over the plot: the brush. */
  children?: ReactNode;
};

const sum = ({ states }: HistogramBin) => Object.values(states).reduce((total, count) => total + count, 0);

/** An instant on the axis: with its day where the axis is longer than one. */
const mark = (ms: number, lengthMs: number) =>
  lengthMs > 86_400_000 ? `${utcDate(ms).slice(5)} ${utcMinute(ms)}` : utcMinute(ms);

/** Letters over time by what became of them, as bars. A bin without letters is empty: the archive has no gaps. */
export function Histogram({ bins, found, chosen, marks = [], children }: Props) {
  const ticks = countTicks(Math.max(0, ...found.map(sum)));
  const top = ticks.at(-1) ?? 1;
  const lengthMs = bins.toMs - bins.fromMs;
  const share = (index: number) => (index / bins.count) * 100;
  const total = found.reduce((all, bin) => all + sum(bin), 0);
  const label = `Dead letters per ${proseDuration(bins.widthMs)} by what became of them, ${mark(bins.fromMs, lengthMs)} to ${mark(bins.toMs, lengthMs)} UTC: ${total.toLocaleString("en-US")} in all.${chosen ? ` ${chosen}` : ""}`;
  return (
    <figure className="histo" aria-label={label}>
      <div className="chart plots">
        <div className="pl h-84">
          <svg aria-hidden="true">
            <defs>
              <pattern id="hatch-dead" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                <line className="hatch-dead" x1="0" y1="0" x2="0" y2="4" />
              </pattern>
              <pattern id="hatch-leased" width="4" height="4" patternUnits="userSpaceOnUse">
                <line className="hatch-leased" x1="1" y1="0" x2="1" y2="4" />
              </pattern>
            </defs>
            {ticks.map((tick) => {
              const y = `${100 - (tick / top) * 100}%`;
              return (
                <g key={tick}>
                  <line className={tick === 0 ? "grid zero" : "grid"} x1="0" x2="100%" y1={y} y2={y} />
                  <text className="ax" x="-8" y={y} dy="4" textAnchor="end">
                    {tick.toLocaleString("en-US")}
                  </text>
                </g>
              );
            })}
            {found.map((bin) => (
              <Bar key={bin.index} bin={bin} x={share(bin.index)} width={share(1)} top={top} />
            ))}
          </svg>
          {children}
        </div>
        <Marks bins={bins} marks={marks} />
        <svg className="xax" aria-hidden="true">
          {timeTicks(bins.fromMs, bins.toMs).map((tick, index, all) => (
            <text
              key={tick}
              className="ax"
              x={`${((tick - bins.fromMs) / lengthMs) * 100}%`}
              y="12"
              textAnchor={index === 0 ? "start" : index === all.length - 1 ? "end" : "middle"}
            >
              {mark(tick, lengthMs)}
            </text>
          ))}
        </svg>
      </div>
      <HistogramTable bins={bins} found={found} />
    </figure>
  );
}

type BarProps = { bin: HistogramBin; x: number; width: number; top: number };

function Bar({ bin, x, width, top }: BarProps) {
  let below = 0;
  return (
    <g>
      {countParts(bin.states).map(({ part, count }) => {
        if (count === 0) return null;
        below += count;
        return (
          <rect
            key={part}
            className={`b-${part}`}
            x={`${x.toFixed(3)}%`}
            width={`${(width * 0.8).toFixed(3)}%`}
            y={`${(100 - (below / top) * 100).toFixed(2)}%`}
            height={`${((count / top) * 100).toFixed(2)}%`}
          />
        );
      })}
    </g>
  );
}

const LOOK: Record<string, string> = { again: " hatch", underway: " dash" };

/** What the colours of the bars mean. */
export function HistogramLegend() {
  return (
    <ul className="legend">
      {STATE_PARTS.toReversed().map(({ part, word }) => (
        <li key={part}>
          <span className={`sw p-${part}${LOOK[part] ?? ""}`} aria-hidden="true" />
          {word}
        </li>
      ))}
    </ul>
  );
}

import { Brush } from "@/app/(desk)/dead-letters/brush";
import type { BinRange } from "@/app/(desk)/dead-letters/brush-range";
import { Histogram } from "@/app/(desk)/dead-letters/histogram";
import type { ReviewQuery } from "@/app/(desk)/dead-letters/review-query";
import { ReadWhenBack } from "@/components/queue/read-when-back";
import { ErrorPanel } from "@/components/ui/error-panel";
import type { HistogramBin } from "@/lib/console/archive/histogram";
import type { Bins } from "@/lib/domain/bins";
import type { ChartMark } from "@/lib/domain/history";
import type { Reading } from "@/lib/domain/queue";
import { utcFull } from "@/lib/domain/time";

type Props = {
  path: string;
  asked: ReviewQuery;
  bins: Bins;
  histogram: Reading<HistogramBin[]>;
  marks: readonly ChartMark[];
};

/** The letters over time, with a brush that chooses a stretch of it. */
export function TimeSection({ path, asked, bins, histogram, marks }: Props) {
  if (histogram.kind !== "read") {
    const code = histogram.kind === "failed" ? histogram.code : undefined;
    return (
      <ErrorPanel heading="h2" title="The letters over time could not be read" code={code}>
        {histogram.sentence}
        <ReadWhenBack />
      </ErrorPanel>
    );
  }
  const heights = Array.from({ length: bins.count }, () => 0);
  for (const { index, states } of histogram.value) {
    heights[index] = Object.values(states).reduce((sum, count) => sum + count, 0);
  }
  const { died } = asked.filter;
  const said = died?.kind === "between" ? `Chosen: ${utcFull(died.fromMs)} to ${utcFull(died.toMs)}.` : undefined;
  return (
    <Histogram bins={bins} found={histogram.value} chosen={said} marks={marks}>
      <Brush path={path} query={asked.query} bins={bins} heights={heights} chosen={chosenBins(asked, bins)} />
    </Histogram>
  );
}

/** The bins that the filter's time touches; null: it is of no stretch between two instants. */
function chosenBins({ filter: { died } }: ReviewQuery, bins: Bins): BinRange | null {
  if (died?.kind !== "between") return null;
  const within = (bin: number) => Math.min(bins.count - 1, Math.max(0, bin));
  const first = within(Math.floor((died.fromMs - bins.fromMs) / bins.widthMs));
  return { first, last: Math.max(first, within(Math.ceil((died.toMs - bins.fromMs) / bins.widthMs) - 1)) };
}

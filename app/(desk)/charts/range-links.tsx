import { type Query, queryString } from "@/components/ui/query";
import { SegmentedLinks } from "@/components/ui/segmented-links";
import { type ChartRange, SPANS, type Span, writeChartRange } from "@/lib/domain/chart-range";
import { proseDuration, utcDate, utcSpan } from "@/lib/domain/time";

type Props = {
  path: string;
  query: Query;
  range: ChartRange /** Where no range means no charts, the default is written too. */;
  always?: boolean;
};

const WORDS: Record<Span, string> = {
  "15m": "15 min",
  "1h": "1 h",
  "3h": "3 h",
  "24h": "24 h",
  "7d": "7 d",
  "30d": "30 d",
};

/** With its day: an address is opened on others too. */
function drawnLabel(fromMs: number, toMs: number): string {
  const span = utcSpan(fromMs, toMs);
  const day = span.startsWith(utcDate(fromMs)) ? "" : `${utcDate(fromMs)} `;
  return `${day}${span}, ${proseDuration(toMs - fromMs)}`;
}

/** What the charts show: so long up to now, or the stretch that was drawn on them. Each is an address. */
export function RangeLinks({ path, query, range, always = false }: Props) {
  const hrefOf = (to: ChartRange) => {
    const named = always && to.kind === "last" ? { range: to.span } : writeChartRange(to);
    return path + queryString({ ...query, range: undefined, from: undefined, to: undefined, ...named });
  };
  const spans = Object.keys(SPANS) as Span[];
  const drawn =
    range.kind === "between"
      ? [
          {
            label: drawnLabel(range.fromMs, range.toMs),
            href: hrefOf(range),
            current: true,
          },
        ]
      : [];
  return (
    <SegmentedLinks
      label="Range of the charts"
      segments={[
        ...spans.map((span) => ({
          label: WORDS[span],
          href: hrefOf({ kind: "last", span }),
          current: range.kind === "last" && range.span === span,
        })),
        ...drawn,
      ]}
    />
  );
}

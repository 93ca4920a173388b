import type { Read } from "@/components/charts/figure";
import type { HistoryBins } from "@/lib/domain/history";
import { proseDuration } from "@/lib/domain/time";

type Props = {
  title: string;
  bins: HistoryBins;
  reads: readonly Read[];
  stampOf(atMs: number): string;
  said(read: Read, bin: number): string;
};

/** The same numbers as the figure, one row a bin, the newest first. */
export function ChartTable({ title, bins, reads, stampOf, said }: Props) {
  const { fromMs, widthMs, count } = bins;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
    <section className="charttable" aria-label={`${title} as a table`} tabIndex={0}>
      <table className="t">
        <caption className="vh">
          {title}, each row {proseDuration(widthMs)}
        </caption>
        <thead>
          <tr>
            <th scope="col">From, UTC</th>
            {reads.map(({ name }) => (
              <th key={name} scope="col" className="r">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: count }, (_, index) => count - 1 - index).map((bin) => (
            <tr key={bin}>
              <th scope="row">{stampOf(fromMs + bin * widthMs).replace(" UTC", "")}</th>
              {reads.map((read) => (
                <td key={read.name} className="r">
                  {said(read, bin)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

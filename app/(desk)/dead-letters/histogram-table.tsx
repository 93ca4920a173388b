import type { HistogramBin } from "@/lib/console/archive/histogram";
import type { Bins } from "@/lib/domain/bins";
import { countParts, STATE_PARTS } from "@/lib/domain/state-parts";
import { proseDuration, utcFull } from "@/lib/domain/time";

/** The same numbers as the bars, a row for each bin that holds letters, the newest first. */
export function HistogramTable({ bins, found }: { bins: Bins; found: readonly HistogramBin[] }) {
  const rows = found.toSorted((a, b) => b.index - a.index);
  return (
    <details className="histotable">
      <summary className="link">Show as table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <section className="charttable" aria-label="Dead letters over time as a table" tabIndex={0}>
        <table className="t">
          <caption className="vh">
            Dead letters, each row {proseDuration(bins.widthMs)}; rows without any are left out
          </caption>
          <thead>
            <tr>
              <th scope="col">From, UTC</th>
              {STATE_PARTS.map(({ part, word }) => (
                <th key={part} scope="col" className="r">
                  {word}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ index, states }) => (
              <tr key={index}>
                <th scope="row">{utcFull(bins.fromMs + index * bins.widthMs).replace(" UTC", "")}</th>
                {countParts(states).map(({ part, count }) => (
                  <td key={part} className="r">
                    {count.toLocaleString("en-US")}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}

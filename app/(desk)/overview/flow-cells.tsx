import { Sparkline } from "@/components/charts/sparkline";
import { Untold } from "@/components/queue/depth-count";
import { NumberLink } from "@/components/ui/number-link";
import { Td } from "@/components/ui/table";
import { inOut, perSecond } from "@/lib/domain/flow";
import { forecastOf } from "@/lib/domain/forecast";
import { sayForecast } from "@/lib/domain/forecast-words";
import type { QueueRecent } from "@/lib/domain/recent";

type Props = { recent: QueueRecent | null; href: string | null; dim: boolean };

/** What comes in and goes out, and whether the backlog clears: an estimate, with its arithmetic on hover. */
export function FlowCells({ recent, href, dim }: Props) {
  const minutes = recent ? inOut(recent.flow) : [];
  const [into, out] = [perSecond(minutes.map((each) => each.into)), perSecond(minutes.map((each) => each.out))];
  return (
    <>
      <Td end name="In / out per second" className="w2">
        {out === null ? (
          <Untold why="This store counts nothing by the minute" />
        ) : (
          <span className="rate">
            <Sparkline into={known(minutes.map((each) => each.into))} out={known(minutes.map((each) => each.out))} />
            <span className="rv">
              {into === null ? "?" : rate(into)} <i>/</i> {rate(out)}
            </span>
          </span>
        )}
      </Td>
      <Td end name="Clears in" className="w2">
        <ClearsIn recent={recent} href={href} dim={dim} />
      </Td>
    </>
  );
}

function ClearsIn({ recent, href, dim }: Props) {
  const forecast = recent ? forecastOf(recent) : ({ kind: "untold" } as const);
  const { word, why } = sayForecast(forecast);
  if (dim || forecast.kind === "untold") return <Untold why={dim ? "Old values make no forecast" : why} />;
  const tip = { "data-tip": why };
  if (forecast.kind === "clears" && href !== null)
    return (
      <span {...tip}>
        <NumberLink value={1} href={href} text={word} />
      </span>
    );
  const loud = forecast.kind === "growing" || forecast.kind === "stuck";
  return (
    <span {...tip} className={loud ? "num late" : "faint"}>
      {word}
    </span>
  );
}

/** A sparkline shows the shape of what was told. */
const known = (values: (number | null)[]) => values.filter((value) => value !== null);

const rate = (value: number) => (value >= 10 ? Math.round(value).toLocaleString("en-US") : value.toFixed(1));

import type { Forecast } from "./forecast";
import { duration } from "./time";

/** Beyond this an estimate of the last minutes says nothing. */
const DAY_MS = 86_400_000;

const rows = (count: number) => `${count.toLocaleString("en-US")} ${count === 1 ? "row waits" : "rows wait"}`;
const rate = (perSecond: number) =>
  perSecond < 0.1 ? `${(perSecond * 60).toFixed(1)} a minute` : `${perSecond.toFixed(1)} a second`;

/** A forecast in a word, and the arithmetic behind it in a sentence. */
export function sayForecast(forecast: Forecast): { word: string; why: string } {
  switch (forecast.kind) {
    case "empty":
      return { word: "clear", why: "Nothing waits" };
    case "clears": {
      const { inMs, drain } = forecast;
      const why = `${rows(forecast.rows)}, draining ${rate(drain)} faster than it fills`;
      return { word: inMs > DAY_MS ? "over a day" : duration(inMs), why };
    }
    case "steady":
      return { word: "steady", why: `${rows(forecast.rows)}; as much comes in as goes out` };
    case "growing":
      return {
        word: "will not clear",
        why: `${rows(forecast.rows)}, filling ${rate(forecast.growth)} faster than it drains`,
      };
    case "stuck":
      return {
        word: "will not clear",
        why: `${rows(forecast.rows)}, and nothing was settled for ${forecast.minutes} min`,
      };
    case "untold":
      return { word: "?", why: "Too few samples of the last minutes make no forecast" };
    default:
      return forecast satisfies never;
  }
}

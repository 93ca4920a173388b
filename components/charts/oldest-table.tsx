import type { AgePoint } from "@/components/charts/scale";
import { duration, utcMinute } from "@/lib/domain/time";

const MINUTE = 60_000;

/** The highest reading of each minute; null for a minute without one. */
export function byMinute(readings: readonly AgePoint[]): AgePoint[] {
  const minutes = new Map<number, number | null>();
  for (const { atMs, ageMs } of readings) {
    const minute = Math.floor(atMs / MINUTE) * MINUTE;
    const before = minutes.get(minute) ?? null;
    minutes.set(minute, ageMs === null ? before : Math.max(ageMs, before ?? 0));
  }
  return [...minutes].map(([atMs, ageMs]) => ({ atMs, ageMs }));
}

/** The figure as a table, one row a minute. */
export function OldestTable({ name, readings }: { name: string; readings: readonly AgePoint[] }) {
  return (
    <div className="charttable">
      <table className="t">
        <caption className="vh">Oldest age of {name}, the highest of each minute</caption>
        <thead>
          <tr>
            <th scope="col">Minute, UTC</th>
            <th scope="col" className="r">
              Oldest, at most
            </th>
          </tr>
        </thead>
        <tbody>
          {byMinute(readings).map(({ atMs, ageMs }) => (
            <tr key={atMs}>
              <th scope="row">{utcMinute(atMs)}</th>
              <td className="r">{ageMs === null ? "no reading" : duration(ageMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

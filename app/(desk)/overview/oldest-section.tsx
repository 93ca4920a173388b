"use client";

import { OldestLine } from "@/components/charts/oldest-line";
import { ErrorPanel } from "@/components/ui/error-panel";
import type { History } from "@/lib/domain/history";
import { duration } from "@/lib/domain/time";

type Props = { history: History | null; problem: string | null };

/** How old the oldest due row of each queue was, over the last half hour. */
export function OldestSection({ history, problem }: Props) {
  const lines = history?.queues.filter(({ points }) => points.length > 0) ?? [];
  return (
    <section aria-labelledby="oldest-h">
      <div className="sechead">
        <h2 id="oldest-h">Oldest age</h2>
        <span className="sub">last {history?.minutes ?? 30} min, sampled every 5 s</span>
      </div>
      {history === null ? (
        <ErrorPanel title="The line could not be read">{problem} The table above is not affected.</ErrorPanel>
      ) : null}
      {history && lines.length === 0 ? <p className="muted">No samples yet. The keeper takes one every 5 s.</p> : null}
      {history && lines.length > 0 && problem ? <p className="muted">The line stands still: {problem}</p> : null}
      {history
        ? lines.map(({ name, points }) => (
            <div key={name}>
              <div className="plh">
                <span>{name}</span>
                <b>{nowOf(points)}</b>
              </div>
              <OldestLine
                name={name}
                readings={points}
                fromMs={history.toMs - history.minutes * 60_000}
                toMs={history.toMs}
              />
            </div>
          ))
        : null}
    </section>
  );
}

function nowOf(points: History["queues"][number]["points"]): string {
  const age = points.at(-1)?.ageMs ?? null;
  return age === null ? "not told" : duration(age);
}

"use client";

import { useMemo } from "react";
import { ChartFigure, type Read } from "@/components/charts/figure";
import { Plot, type Series } from "@/components/charts/plot";
import { ageTicks, ageTickText, countTicks } from "@/components/charts/scale";
import type { Column, History, QueueHistory } from "@/lib/domain/history";
import { duration, utcSpan } from "@/lib/domain/time";

const AGES = ["under 10s", "10s–1m", "1–5m", "5–30m", "over 30m"] as const;
const number = (value: number) => value.toLocaleString("en-US");

/** How old the backlog of a queue was: its oldest row as a line, over what waited, stacked by age. */
export function BacklogAge({ history, queue }: { history: History; queue: QueueHistory }) {
  const { levels: bins, marks } = history;
  const { oldest, ages, waiting } = queue;
  const stack = useMemo(() => stackOf(queue), [queue]);
  const line = useMemo((): Series[] => {
    return oldest ? [{ name: "Oldest", color: "var(--fg)", values: oldest, as: "line" }] : [];
  }, [oldest]);
  const ageMarks = useMemo(() => ageTicks(highest(oldest)), [oldest]);
  const countMarks = useMemo(() => countTicks(highest(waiting)), [waiting]);
  if (!oldest && !waiting) return null;
  const reads: Read[] = [
    ...stack.map(({ name, values }, index) => ({
      name,
      swatch: ages ? `c-age${index + 1}` : "c-age2",
      values,
      text: number,
    })),
    ...(oldest ? [{ name: "oldest", swatch: "c-fg", values: oldest, text: duration }] : []),
  ];
  return (
    <ChartFigure
      sentence={sentenceOf(history, queue)}
      title={`Backlog age of ${queue.name}`}
      bins={bins}
      reads={reads}
      marks={marks}
      legend={
        <ul className="legend">
          {stack.map(({ name, values }, index) => (
            <li key={name}>
              <span className={ages ? `sw c-age${index + 1}` : "sw c-age2"} />
              {name} <b>{nowOf(values, number)}</b>
            </li>
          ))}
        </ul>
      }
    >
      {oldest ? (
        <>
          <Head title="Oldest" now={nowOf(oldest, duration)} />
          <Plot height={52} ticks={ageMarks} tickText={ageTickText} series={line} />
        </>
      ) : null}
      {waiting ? (
        <>
          <Head title={ages ? "Waiting, by age" : "Waiting"} now={nowOf(waiting, number)} />
          <Plot height={160} ticks={countMarks} tickText={number} series={stack} />
        </>
      ) : null}
    </ChartFigure>
  );
}

function Head({ title, now }: { title: string; now: string }) {
  return (
    <div className="plh">
      <span>{title}</span>
      <b>{now}</b>
    </div>
  );
}

function stackOf({ ages, waiting }: QueueHistory): Series[] {
  if (ages) {
    return ages.map((values, index) => ({
      name: AGES[index] ?? "",
      color: `var(--age-${index + 1})`,
      values,
      as: "stack",
    }));
  }
  return waiting ? [{ name: "waiting", color: "var(--age-2)", values: waiting, as: "bars" }] : [];
}

const told = (column: Column | null) => (column ?? []).filter((value) => value !== null);
const highest = (column: Column | null) => Math.max(0, ...told(column));

/** The newest that was read. */
function nowOf(column: Column, text: (value: number) => string): string {
  const last = told(column).at(-1);
  return last === undefined ? "not told" : text(last);
}

function sentenceOf({ fromMs, toMs }: History, { name, oldest, waiting }: QueueHistory): string {
  const span = `Backlog of ${name}, ${utcSpan(fromMs, toMs)}`;
  const age = oldest ? ` Oldest age at most ${duration(highest(oldest))}, now ${nowOf(oldest, duration)}.` : "";
  return `${span}.${age}${waiting ? ` ${nowOf(waiting, number)} rows wait.` : ""}`;
}

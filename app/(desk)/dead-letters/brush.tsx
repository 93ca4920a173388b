"use client";

import { useRouter } from "next/navigation";
import { type KeyboardEvent, type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { arrowStep, type BinRange, moved, stretchOf } from "@/app/(desk)/dead-letters/brush-range";
import { type Query, queryString } from "@/components/ui/query";
import type { Bins } from "@/lib/domain/bins";
import { writeDied } from "@/lib/domain/died-range";
import { proseDuration, utcClock, utcDate, utcMinute } from "@/lib/domain/time";

type Props = {
  path: string;
  query: Query;
  bins: Bins;
  /** Letters in each bin. */
  heights: readonly number[];
  /** The bins that the filter is of; null: all. */
  chosen: BinRange | null;
};

/** A held arrow key is one change of the address, not thirty. */
const SETTLE_MS = 350;

/**
 * Chooses a stretch of the histogram and writes it to the address, as instants. Drag over the plot; or each end by its
 * handle, with the arrow keys by 1 bin, with Shift by 5. Esc takes it away.
 */
export function Brush({ path, query, bins, heights, chosen }: Props) {
  const router = useRouter();
  const plot = useRef<HTMLFieldSetElement>(null);
  const [range, setRange] = useState(chosen);
  const from = useRef<number | null>(null);
  const later = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { first: givenFirst, last: givenLast } = chosen ?? { first: -1, last: -1 };
  useEffect(() => setRange(givenFirst < 0 ? null : { first: givenFirst, last: givenLast }), [givenFirst, givenLast]);
  useEffect(() => () => clearTimeout(later.current), []);

  const shown = range ?? { first: 0, last: bins.count - 1 };
  const at = (bin: number) => bins.fromMs + bin * bins.widthMs;
  useLayoutEffect(() => place(plot.current, shown.first / bins.count, (shown.last + 1) / bins.count));

  function write(next: BinRange | null, waitMs = 0) {
    setRange(next);
    clearTimeout(later.current);
    const died = next ? writeDied(at(next.first), at(next.last + 1)) : undefined;
    const span = next ? writeDied(bins.fromMs, bins.toMs) : undefined;
    const address = path + queryString({ ...query, after: undefined, before: undefined, died, span });
    later.current = setTimeout(() => router.push(address, { scroll: false }), waitMs);
  }
  const binAt = (event: PointerEvent) => {
    const box = plot.current?.getBoundingClientRect();
    return box ? Math.floor(((event.clientX - box.left) / box.width) * bins.count) : 0;
  };
  const onPointerDown = (event: PointerEvent<HTMLFieldSetElement>) => {
    if (event.button !== 0) return;
    const end = (event.target as HTMLElement).dataset.end;
    // A handle is dragged against the other end, the plot against where it was pressed.
    from.current = end === "first" ? shown.last : end === "last" ? shown.first : binAt(event);
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent) => {
    if (from.current !== null) setRange(stretchOf(from.current, binAt(event), bins.count));
  };
  const onPointerUp = (event: PointerEvent) => {
    if (from.current === null) return;
    const next = stretchOf(from.current, binAt(event), bins.count);
    from.current = null;
    write(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && range) return write(null);
    const end = (event.target as HTMLElement).dataset.end;
    const by = arrowStep(event.key, event.shiftKey);
    if (by === 0 || (end !== "first" && end !== "last")) return;
    event.preventDefault();
    write(moved(shown, end, by, bins.count), SETTLE_MS);
  };
  const letters = heights.slice(shown.first, shown.last + 1).reduce((sum, each) => sum + each, 0);
  const length = proseDuration((shown.last - shown.first + 1) * bins.widthMs);
  const step = `Arrow keys move by ${proseDuration(bins.widthMs)}`;
  return (
    <>
      <fieldset
        ref={plot}
        className="brush"
        aria-label="Chosen stretch of time"
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={() => {
          from.current = null;
          setRange(chosen);
        }}
        onKeyDown={onKeyDown}
      >
        <div className={range ? "chosen" : "chosen all"} />
        <button
          type="button"
          data-end="first"
          aria-label={`Start of range, ${clockIn(bins, at(shown.first))}. ${step}`}
        />
        <button
          type="button"
          data-end="last"
          aria-label={`End of range, ${clockIn(bins, at(shown.last + 1))}. ${step}`}
        />
      </fieldset>
      {range ? (
        <p className="brushed">
          {length}, {letters.toLocaleString("en-US")} {letters === 1 ? "letter" : "letters"}
          <button type="button" className="link" onClick={() => write(null)}>
            Show all
          </button>
        </p>
      ) : null}
    </>
  );
}

const DAY_MS = 86_400_000;

/** With its day where the plot is longer than one. */
function clockIn({ fromMs, toMs }: Bins, ms: number): string {
  const clock = ms % 60_000 === 0 ? utcMinute(ms) : utcClock(ms);
  return toMs - fromMs > DAY_MS ? `${utcDate(ms)} ${clock}` : clock;
}

/** By the object model: a strict CSP takes no style from the markup. */
function place(plot: HTMLElement | null, start: number, end: number): void {
  const set = (selector: string, styles: Partial<CSSStyleDeclaration>) => {
    const element = plot?.querySelector<HTMLElement>(selector);
    if (element) Object.assign(element.style, styles);
  };
  set(".chosen", { left: `${start * 100}%`, right: `${100 - end * 100}%` });
  set("[data-end=first]", { left: `${start * 100}%` });
  set("[data-end=last]", { left: `${end * 100}%` });
}

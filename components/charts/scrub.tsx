"use client";

import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { useBoard } from "@/components/charts/board";
import type { HistoryBins } from "@/lib/domain/history";

type Props = {
  /** What is read, for those who do not see the plot; by it the board knows its figures. */
  label: string;
  bins: HistoryBins;
  /** What the plots say of a bin, in words. */
  textOf(bin: number): string;
};

/** Below this many bins a press was a click, or a hand that shook. */
const DRAWN_MIN = 2;

/**
 * Over the plots of a figure: the pointer or the arrow keys read single bins, on all figures of the board at once; a
 * drag, or Shift with the arrows and Enter, takes a stretch as the range. Esc ends both.
 */
export function Scrub({ label, bins, textOf }: Props) {
  const { atMs, read, drawn, setDrawn, choose } = useBoard();
  const pressed = useRef<number | null>(null);
  const { fromMs, widthMs, count } = bins;
  const binOf = (ms: number) => Math.min(count - 1, Math.max(0, Math.floor((ms - fromMs) / widthMs)));
  const middle = (bin: number) => fromMs + (bin + 0.5) * widthMs;
  const bin = atMs === null ? null : binOf(atMs);
  const share = (ms: number) => `${(((ms - fromMs) / (count * widthMs)) * 100).toFixed(3)}%`;

  const pointed = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    return binOf(fromMs + ((event.clientX - box.left) / box.width) * count * widthMs);
  };
  const stretch = (a: number, b: number) => ({
    fromMs: fromMs + Math.min(a, b) * widthMs,
    toMs: fromMs + (Math.max(a, b) + 1) * widthMs,
  });
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0 || event.pointerType === "touch") return;
    pressed.current = pointed(event);
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const at = pointed(event);
    read(middle(at), label);
    if (pressed.current !== null) setDrawn(at === pressed.current ? null : stretch(pressed.current, at));
  };
  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    const [from, to] = [pressed.current, pointed(event)];
    pressed.current = null;
    setDrawn(null);
    if (from !== null && Math.abs(to - from) >= DRAWN_MIN - 1) choose(stretch(from, to));
  };
  const leave = () => {
    if (pressed.current !== null) return;
    read(null, label);
    setDrawn(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      pressed.current = null;
      return leave();
    }
    if (event.key === "Enter" && drawn) {
      setDrawn(null);
      return choose(drawn);
    }
    const edge = { Home: 0, End: count - 1 }[event.key];
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined && edge === undefined) return;
    event.preventDefault();
    const now = bin ?? count;
    const next = edge ?? Math.min(count - 1, Math.max(0, now + (by ?? 0)));
    read(middle(next), label);
    if (!event.shiftKey) return setDrawn(null);
    // The end that the crosshair stands at moves, the other stays.
    const held =
      drawn && bin !== null ? (binOf(drawn.fromMs) === bin ? binOf(drawn.toMs - 1) : binOf(drawn.fromMs)) : bin;
    setDrawn(stretch(held ?? next, next));
  };
  return (
    <div
      className="scrub"
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={count - 1}
      aria-valuenow={bin ?? count - 1}
      aria-valuetext={textOf(bin ?? count - 1)}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => {
        pressed.current = null;
        leave();
      }}
      onPointerLeave={leave}
      onBlur={leave}
      onKeyDown={onKeyDown}
    >
      <svg aria-hidden="true">
        {drawn ? (
          <rect
            className="drawn"
            x={share(drawn.fromMs)}
            y="0"
            height="100%"
            width={share(fromMs + drawn.toMs - drawn.fromMs)}
          />
        ) : null}
        {bin === null ? null : (
          <line className="xhair" x1={share(middle(bin))} x2={share(middle(bin))} y1="0" y2="100%" />
        )}
      </svg>
    </div>
  );
}

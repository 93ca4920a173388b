import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef, useState } from "react";

/** The nearest of `shares` (0 to 1, ascending) to a share of the plot's width. */
export function nearest(shares: readonly number[], share: number): number | null {
  let best: number | null = null;
  for (const [index, each] of shares.entries()) {
    if (best === null || Math.abs(each - share) < Math.abs((shares[best] ?? 0) - share)) best = index;
  }
  return best;
}

/**
 * Reads single values of a plot: the pointer, or the arrow keys once the plot has the focus; Esc and leaving end it.
 * `shares`: where each reading lies, as a share of the width. Spread `plot` on the plot, give `tip` to its tooltip.
 */
export function useCrosshair(shares: readonly number[]) {
  const [index, setIndex] = useState<number | null>(null);
  const tip = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const plot = tip.current?.parentElement;
    if (!tip.current || !plot || index === null) return;
    const at = (shares[index] ?? 0) * plot.clientWidth;
    const width = tip.current.offsetWidth;
    tip.current.style.left = `${at + 12 + width > plot.clientWidth ? at - 12 - width : at + 12}px`;
  }, [index, shares]);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === "Escape") setIndex(null);
    if (!by) return;
    event.preventDefault();
    setIndex((now) => Math.min(shares.length - 1, Math.max(0, (now ?? shares.length - 1) + by)));
  };
  const onPointerMove = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    setIndex(nearest(shares, (event.clientX - box.left) / box.width));
  };
  const leave = () => setIndex(null);
  return { index, tip, plot: { tabIndex: 0, onKeyDown, onPointerMove, onPointerLeave: leave, onBlur: leave } };
}

"use client";

import Link from "next/link";
import { useLayoutEffect, useRef } from "react";
import type { ChartMark, HistoryBins } from "@/lib/domain/history";

/** Words nearer to each other than this share of the axis would lie upon each other: then the later ones are lines alone. */
const ROOM = 0.11;

/** What was done in this time: a dashed line and a word each; the whole sentence on hover and focus. */
export function Marks({ bins, marks }: { bins: HistoryBins; marks: readonly ChartMark[] }) {
  const list = useRef<HTMLOListElement>(null);
  const placed = placedOf(bins, marks);
  useLayoutEffect(() => {
    // By the object model: a strict CSP takes no style from the markup.
    for (const item of list.current?.querySelectorAll<HTMLElement>("[data-share]") ?? [])
      item.style.left = `${Number(item.dataset.share) * 100}%`;
  });
  if (placed.length === 0) return null;
  return (
    <ol className="annos" ref={list} aria-label="What was done">
      {placed.map(({ mark, share, worded }) => (
        <li
          key={`${mark.atMs} ${mark.text}`}
          className={share < 0.06 ? "anno start" : share > 0.94 ? "anno end" : "anno"}
          data-share={share}
        >
          {worded ? (
            mark.href === null ? (
              <span className="annow" data-tip={mark.text}>
                {mark.word}
                <span className="vh">: {mark.text}</span>
              </span>
            ) : (
              <Link className="annow" href={mark.href} prefetch={false} data-tip={mark.text}>
                {mark.word}
                <span className="vh">: {mark.text}</span>
              </Link>
            )
          ) : (
            <span className="vh">{mark.text}</span>
          )}
        </li>
      ))}
    </ol>
  );
}

/** Where each mark lies, as a share of the axis, and whether there is room for its word. */
export function placedOf({ fromMs, widthMs, count }: HistoryBins, marks: readonly ChartMark[]) {
  let last = Number.NEGATIVE_INFINITY;
  return marks
    .map((mark) => ({ mark, share: (mark.atMs - fromMs) / (widthMs * count) }))
    .filter(({ share }) => share >= 0 && share <= 1)
    .map(({ mark, share }) => {
      const worded = share - last >= ROOM;
      if (worded) last = share;
      return { mark, share, worded };
    });
}

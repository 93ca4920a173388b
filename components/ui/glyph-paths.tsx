import type { ReactNode } from "react";

const OCTAGON = <path d="M5.3 1.6h5.4l3.7 3.7v5.4l-3.7 3.7H5.3l-3.7-3.7V5.3z" fill="currentColor" />;
const RING = <circle cx="8" cy="8" r="6" className="o" />;
const DOTTED = <circle cx="8" cy="8" r="5.8" className="o o2" strokeDasharray=".1 2.93" />;
const OPEN_RING = <path d="M14 7.2A6 6 0 1 1 10.6 2.6" className="o" />;

/**
 * State glyphs, drawn for this product on a 16 px grid: a shape for each state, so that colour is never the only sign.
 * `o` is a stroke in the state's colour, `k` a stroke knocked out of a filled shape.
 */
export const GLYPH_PATHS = {
  ok: (
    <>
      <circle cx="8" cy="8" r="6.4" fill="currentColor" />
      <path d="M5.3 8.2l1.9 1.9 3.6-4" className="k" />
    </>
  ),
  due: (
    <>
      <circle cx="8" cy="8" r="5.6" className="o" />
      <circle cx="8" cy="8" r="2.1" fill="currentColor" />
    </>
  ),
  scheduled: (
    <>
      <circle cx="8" cy="8" r="6" className="o" strokeDasharray="2.3 1.47" />
      <path d="M8 5v3l2 1.3" className="o" />
    </>
  ),
  leased: (
    <>
      {RING}
      <path d="M8 8V4.4A3.6 3.6 0 1 1 4.4 8z" fill="currentColor" />
    </>
  ),
  expired: (
    <>
      <path d="M4.2 2.2h7.6M4.2 13.8h7.6M5.4 2.2v2.3L8 8l2.6-3.5V2.2M5.4 13.8v-2.3L8 8l2.6 3.5v2.3" className="o" />
      <path d="M6.2 13.2h3.6v-1.3L8 9.6l-1.8 2.3z" fill="currentColor" />
    </>
  ),
  retrying: (
    <>
      <path d="M13.4 8a5.4 5.4 0 1 1-1.7-3.9" className="o" />
      <path d="M13.6 1.9v3.2h-3.2" className="o" />
    </>
  ),
  requeued: (
    <>
      <path d="M2.8 13v-2.6a3.2 3.2 0 0 1 3.2-3.2h6.6" className="o" />
      <path d="M9.4 3.8l3.4 3.4-3.4 3.4" className="o" />
    </>
  ),
  dead: (
    <>
      {OCTAGON}
      <path d="M5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4" className="k" />
    </>
  ),
  again: (
    <>
      {OCTAGON}
      <path d="M6.1 6.3c.1-1 .9-1.7 1.9-1.7s1.9.7 1.9 1.6c0 .8-.4 1.2-1 1.8L6.2 10.9h3.8" className="k" />
    </>
  ),
  awaiting: DOTTED,
  superseded: (
    <>
      {OPEN_RING}
      <path d="M5.4 8.2h5.2" className="o" />
    </>
  ),
  resolved: (
    <>
      {RING}
      <path d="M5.5 8.3l1.8 1.8 3.3-3.8" className="o" />
    </>
  ),
  left: (
    <>
      {DOTTED}
      <path d="M5.6 8h4.8" className="o" />
    </>
  ),
  elsewhere: (
    <>
      <path d="M2.2 13v-2.6a3.2 3.2 0 0 1 3.2-3.2h4.9" className="o" />
      <path d="M7.5 4.1l3.1 3.1-3.1 3.1" className="o" />
      <path d="M13.7 3.2v8" className="o" />
    </>
  ),
  refused: (
    <>
      {RING}
      <path d="M5 8h6" className="o o2" />
    </>
  ),
  unknown: (
    <>
      {RING}
      <path d="M6.2 6.5c.1-1 .8-1.7 1.8-1.7s1.8.7 1.8 1.6c0 1.2-1.8 1.3-1.8 2.5" className="o" />
      <circle cx="8" cy="11.2" r=".4" className="o" />
    </>
  ),
  unconfigured: <path d="M5.2 8h5.6" className="o" />,
  recovered: (
    <>
      {OPEN_RING}
      <path d="M5.4 7.6l2.3 2.3 6-6.3" className="o" />
    </>
  ),
  skipped: (
    <>
      {RING}
      <path d="M3.9 12.1l8.2-8.2" className="o" />
    </>
  ),
  warn: (
    <>
      <path
        d="M8 1.8c.5 0 .9.2 1.1.7l5.3 9.6c.5.9-.1 2-1.1 2H2.7c-1 0-1.6-1.1-1.1-2l5.3-9.6c.2-.5.6-.7 1.1-.7z"
        fill="currentColor"
      />
      <path d="M8 5.7v3.6" className="k" />
      <circle cx="8" cy="11.5" r=".5" className="k" />
    </>
  ),
  block: (
    <>
      {OCTAGON}
      <path d="M4.9 8h6.2" className="k k2" />
    </>
  ),
  info: (
    <>
      {RING}
      <path d="M8 7.4v3.4" className="o" />
      <circle cx="8" cy="5.1" r=".4" className="o" />
    </>
  ),
} satisfies Record<string, ReactNode>;

export type GlyphName = keyof typeof GLYPH_PATHS;

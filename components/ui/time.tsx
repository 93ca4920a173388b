import { isoUtc, relative, utcStamp } from "@/lib/domain/time";

export type TimeProps = {
  /** The instant, ms since 1970. */
  atMs: number;
  /** The database clock at the reading that the instant came with. */
  nowMs: number;
  /** `relative` (`4m ago`, the default) or `clock` (`03:41:07`, with its date on another day). `t` swaps them all. */
  show?: "relative" | "clock";
  /** Keep the second unit: `2m 27s ago`. */
  exact?: boolean;
  /** The store does not answer: an age would be a lie, so this says `as of 03:12:06`. */
  stale?: boolean;
};

/** An instant, written from the clock of its reading. Its tooltip gives UTC, the reader's own time and the exact age. */
export function Time({ atMs, nowMs, show = "relative", exact, stale }: TimeProps) {
  if (stale) return <TimeText atMs={nowMs} text={`as of ${utcStamp(nowMs, nowMs)}`} />;
  const stamp = utcStamp(atMs, nowMs);
  return <TimeText atMs={atMs} text={show === "clock" ? stamp : relative(atMs, nowMs, exact)} other={stamp} />;
}

/**
 * Both writings are in the document and the stylesheet shows one: `t` swaps every time on the page without a script
 * per cell, and the tooltip is written from `data-at` when it is asked for.
 */
export function TimeText({ atMs, text, other }: { atMs: number; text: string; other?: string }) {
  return (
    <time dateTime={isoUtc(atMs) ?? undefined} data-at={atMs}>
      {other === undefined || other === text ? (
        text
      ) : (
        <>
          <span className="t-rel">{text}</span>
          <span className="t-abs">{other}</span>
        </>
      )}
    </time>
  );
}

"use client";

import { useClockMode, useDbText } from "@/components/ui/db-clock";
import { TimeText } from "@/components/ui/time";
import { beyond, duration, relative, utcClock } from "@/lib/domain/time";

const WIDTH = 44;
const LOW_S = 15;
const IN_SECONDS_S = 120;

type Props = {
  /** When the lease ends, on the database clock. */
  untilMs: number;
  /** The database clock at the reading. */
  nowMs: number;
  /** How long a fresh lease of this queue is. */
  lengthMs: number;
};

/** What is left of a lease, draining once a second on the database clock; hatched, with how long ago, once it is over. */
export function LeaseBar({ untilMs, nowMs, lengthMs }: Props) {
  const stale = useClockMode() === "stale";
  const endless = beyond(untilMs) === "never";
  const left = useDbText((ms) => Math.ceil((untilMs - (ms ?? nowMs)) / 1_000));
  const ago = useDbText((ms) => (untilMs <= (ms ?? nowMs) ? relative(untilMs, ms ?? nowMs, true) : ""));
  if (ago !== "") {
    return (
      <span className="lease">
        <span className="lbar exp" aria-hidden="true" />
        <TimeText atMs={untilMs} text={stale ? `as of ${utcClock(nowMs)}` : ago} other={utcClock(untilMs)} />
      </span>
    );
  }
  const lengthS = Math.max(1, Math.round(lengthMs / 1_000));
  const share = endless ? 1 : Math.min(1, left / lengthS);
  const text = endless ? "no end" : left < IN_SECONDS_S ? `${left}s left` : `${duration(left * 1_000)} left`;
  return (
    <span className="lease">
      {/* biome-ignore lint/a11y/useSemanticElements: a native meter cannot be drawn alike in every browser. */}
      <svg
        className={left <= LOW_S && !endless ? "lbar low" : "lbar"}
        viewBox={`0 0 ${WIDTH} 5`}
        role="meter"
        aria-label="Lease left"
        aria-valuemin={0}
        aria-valuemax={lengthS}
        aria-valuenow={Math.min(lengthS, left)}
        aria-valuetext={text}
      >
        <rect width={WIDTH * share} height="5" rx="2.5" />
      </svg>
      <span>{text}</span>
    </span>
  );
}

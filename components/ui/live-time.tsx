"use client";

import { useClockMode, useDbText } from "@/components/ui/db-clock";
import { type TimeProps, TimeText } from "@/components/ui/time";
import { relative, utcClock, utcStamp } from "@/lib/domain/time";

/**
 * A time that keeps counting on the database clock between two readings; `nowMs` is the clock of the reading that the
 * instant came with, and what the first paint is written from. Renders only when its text changes.
 */
export function LiveTime({ atMs, nowMs, exact }: Omit<TimeProps, "show" | "stale">) {
  const stale = useClockMode() === "stale";
  const text = useDbText((ms) => (stale ? `as of ${utcClock(ms ?? nowMs)}` : relative(atMs, ms ?? nowMs, exact)));
  return <TimeText atMs={atMs} text={text} other={utcStamp(atMs, nowMs)} />;
}

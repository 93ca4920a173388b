"use client";

import { useClockMode, useDbText } from "@/components/ui/db-clock";
import { TimeText } from "@/components/ui/time";
import { duration, utcClock, utcStamp } from "@/lib/domain/time";

/** How long something has waited, growing on the database clock; it stands still when the database is silent. */
export function LiveAge({ sinceMs, nowMs }: { sinceMs: number; nowMs: number }) {
  const stale = useClockMode() === "stale";
  const text = useDbText((ms) => (stale ? `as of ${utcClock(ms ?? nowMs)}` : duration((ms ?? nowMs) - sinceMs)));
  return <TimeText atMs={sinceMs} text={text} other={utcStamp(sinceMs, nowMs)} />;
}

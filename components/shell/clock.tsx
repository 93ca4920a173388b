"use client";

import { useClock, useClockMode, useDbText } from "@/components/ui/db-clock";
import type { ClockMode } from "@/components/ui/db-clock-store";
import { useShortcut } from "@/components/ui/keyboard";
import { proseDuration, utcClock } from "@/lib/domain/time";

const CLASS: Record<ClockMode, string> = { live: "", paused: "paused", stale: "stale", unread: "stale" };

/**
 * The database clock, which every age on the page is computed on. Pressed: live. `.` pauses: values and ages stand
 * still until it is pressed again.
 */
export function Clock() {
  const clock = useClock();
  const mode = useClockMode();
  const time = useDbText((ms) => (ms === null ? "--:--:--" : utcClock(ms)));
  const old = useDbText(() => (mode === "stale" ? `${proseDuration(clock.ageMs())} old` : ""));
  const toggle = () => clock.pause(mode !== "paused");
  useShortcut(".", toggle);
  const word = { live: "Live", paused: "Paused", stale: old, unread: "No answer" }[mode];
  return (
    <button
      type="button"
      className={`clock ${CLASS[mode]}`}
      aria-pressed={mode === "live"}
      onClick={toggle}
      data-tip={"Database clock. Every age on this page is computed on it.\nPress . to pause live updates."}
    >
      <span className="livemark" aria-hidden="true" />
      <span className="livetxt">{word}</span>
      <span className="clk">{time}</span>
      <span className="utc">UTC</span>
    </button>
  );
}

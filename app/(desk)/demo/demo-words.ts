import type { StateName } from "@/components/ui/state-words";
import type { DemoView } from "@/lib/domain/overview";
import type { Reading } from "@/lib/domain/queue";
import { utcClock } from "@/lib/domain/time";

/** The demo's state for the panel: a tag, and sentences. */
export type DemoWords = { state: StateName; word: string; sentences: string[] };

/** Writes the state of the demo world in words. */
export function demoWords(demo: Reading<DemoView>): DemoWords {
  if (demo.kind !== "read") return { state: "unknown", word: "Not read", sentences: [demo.sentence] };
  const { brokenSinceMs, zoneName, letters, lettersMax, idle, characters, fault } = demo.value;
  const world = idle
    ? "The world is idle: nobody looked for 30 minutes. It goes on within a minute of somebody looking."
    : `${characters.toLocaleString("en-US")} characters play, and their writes are real.`;
  if (brokenSinceMs === null) {
    const whole = { sentences: [world, "Every zone is in the catalog."] };
    return fault === null ? { state: "ok", word: "Whole", ...whole } : { state: "warn", word: "Fault", ...whole };
  }
  const zone = zoneName === null ? "A zone is" : `The zone ${zoneName} is`;
  return {
    state: "warn",
    word: "Broken",
    sentences: [
      `Broken since ${utcClock(brokenSinceMs)}: ${letters} of at most ${lettersMax} letters came of it.`,
      `${zone} gone from the catalog, so writes into it fail. Nothing mends it by itself.`,
      world,
    ],
  };
}

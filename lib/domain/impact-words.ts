import type { Impact, ImpactCount } from "./impact";

// Apart from the schema, so that a browser that only shows these does not load what checks it.

/**
 * What a waiting write does to the player's session, as the lists group it: the three words of the game server, a row
 * that has none, and a word that is none of the three.
 */
export const IMPACTS = ["None", "SessionDegraded", "DisconnectRequired", "not_recorded", "other"] as const;

/** How the screens say it. The game server's own words stay as they are. */
export const IMPACT_WORDS: Record<Impact, string> = {
  None: "None",
  SessionDegraded: "SessionDegraded",
  DisconnectRequired: "DisconnectRequired",
  not_recorded: "Not recorded",
  other: "Another word",
};

/** The states of a job that wait, as an address of the list has them. */
export const WAITING_STATES = "due,scheduled,retrying,expired";

/** The impacts that are always told, a zero too; the others only where they occur. */
const ALWAYS: readonly Impact[] = ["None", "SessionDegraded"];

/** The counts in the order of the screens: what is always told, and what occurs. */
export function shownImpacts(counts: readonly ImpactCount[]): ImpactCount[] {
  return IMPACTS.flatMap((impact) => {
    const found = counts.find((count) => count.impact === impact);
    if (found && found.waiting > 0) return [found];
    return ALWAYS.includes(impact) ? [{ impact, waiting: 0, late: 0, oldestMs: null }] : [];
  });
}

/**
 * Whether a person must look: a degraded session waits for longer than it may, or one occurs that nothing is known to
 * write.
 */
export function needsAttention({ impact, waiting, late }: ImpactCount): boolean {
  if (impact === "DisconnectRequired") return waiting > 0;
  return impact === "SessionDegraded" && late > 0;
}

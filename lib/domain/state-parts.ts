import type { ArchivedState } from "./archived-letter";

/** States of letters as bars show them: at most five parts, the calmest first. */
export const STATE_PARTS = [
  { part: "closed", word: "settled otherwise", states: ["resolved", "superseded", "left_elsewhere", "left_unproved"] },
  { part: "recovered", word: "recovered", states: ["recovered"] },
  { part: "underway", word: "requeued", states: ["awaiting", "requeued_elsewhere"] },
  { part: "open", word: "open", states: ["open"] },
  { part: "again", word: "died again", states: ["died_again"] },
] as const satisfies readonly { part: string; word: string; states: readonly ArchivedState[] }[];

export type StatePart = (typeof STATE_PARTS)[number]["part"];

/** How many letters are in each part, in the order of the bars. */
export function countParts(
  counts: Partial<Record<ArchivedState, number>>,
): { part: StatePart; word: string; count: number }[] {
  return STATE_PARTS.map(({ part, word, states }) => ({
    part,
    word,
    count: states.reduce((sum, state) => sum + (counts[state] ?? 0), 0),
  }));
}

import type { Depths } from "./queue";

/**
 * A job's whole permitted life of 8 attempts is 64 s of waiting; what may be taken and is older than twice that is not
 * being kept up with.
 */
export const LATE_MS = 120_000;
export const isLate = (ageMs: number | null): boolean => (ageMs ?? 0) > LATE_MS;

/** A worker that is idle looks every 5 s: four times nobody came. */
const UNTAKEN_MS = 20_000;

/** Whether nobody takes what is due: no lease is held, and the longest due row could have been taken for long. */
export const isUntaken = ({ leased, untakenMs }: Pick<Depths, "leased" | "untakenMs">): boolean =>
  leased === 0 && (untakenMs ?? 0) > UNTAKEN_MS;

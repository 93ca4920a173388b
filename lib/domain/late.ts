/**
 * A job's whole permitted life of 8 attempts is 64 s of waiting; what may be taken and is older than twice that is not
 * being kept up with.
 */
export const LATE_MS = 120_000;
export const isLate = (ageMs: number | null): boolean => (ageMs ?? 0) > LATE_MS;

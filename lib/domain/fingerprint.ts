import { type Marks, markPieces } from "./error-pieces";

/**
 * Of the rules that say what two errors have in common when one cause made both. A change of these rules raises the
 * version, so that fingerprints of two rules are never compared. 2: of a stack the first frames alone count.
 * 3: names of commands, arguments and properties stay; whole rows and values without quotes go.
 */
export const FINGERPRINT_VERSION = 3;

const MARKS: Marks = { of: () => "#", list: /#(?:[\s,;.-]{0,4}#)+/g };

/** The error with all that is variable in it taken out. The same again for what it answers itself. */
export function normalisedError(error: string): string {
  return markPieces(error, MARKS);
}

/** Equal for two errors of one cause, as far as their texts tell. */
export function fingerprint(error: string): string {
  return `${FINGERPRINT_VERSION}:${normalisedError(error)}`;
}

/** Characters that a note on an error has at most. */
export const NOTE_MAX = 4_000;

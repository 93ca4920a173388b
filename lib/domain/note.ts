import { seenLength } from "./unseen";

/** Characters that a note on an error has at most. */
export const NOTE_MAX = 4_000;

/** Whether nothing of a note would be seen. */
export const noteIsEmpty = (body: string): boolean => seenLength(body) === 0;

/** What a queue's store counted in one minute, which begins at `minuteMs` of its clock (ms since 1970). */
export type MinuteCounts = {
  minuteMs: number;
  done: number;
  failed: number;
  died: number;
  /** Null: this store counts none by the minute. */
  lostLeases: number | null;
  staleSettles: number | null;
};

import { proseDuration } from "./time";

/** Deaths of one cause over equal stretches before and after something was done, ms. */
type Counted = { stretchMs: number; before: number; after: number };

/** Too short a time after it tells nothing. */
const TELLS_MS = 60_000;

const letters = (count: number) => `${count.toLocaleString("en-US")} ${count === 1 ? "letter" : "letters"}`;

/** An hourly rate, to one place where it is small. */
function perHour(count: number, stretchMs: number): string {
  const rate = count / (stretchMs / 3_600_000);
  return `${rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate).toLocaleString("en-US")} an hour`;
}

/** "12 letters died in the 2h 05m before it (5.8 an hour), 1 letter in the 2h 05m since (0.5 an hour)." */
export function fixSentence({ stretchMs, before, after }: Counted): string {
  if (stretchMs < TELLS_MS) return `${proseDuration(stretchMs)} is too short a time to tell.`;
  const length = proseDuration(Math.round(stretchMs / 60_000) * 60_000);
  const since = stretchMs >= 86_400_000 ? `${length} after it` : `${length} since`;
  return `${letters(before)} died in the ${length} before it (${perHour(before, stretchMs)}), ${letters(after)} in the ${since} (${perHour(after, stretchMs)}).`;
}

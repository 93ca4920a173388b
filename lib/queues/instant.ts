/** ISO instants of the wire as ms; `infinity` and what is no time become the ends of what a Date can hold. */
export function instantMs(instant: string): number {
  if (instant === "infinity") return 8.64e15;
  const parsed = Date.parse(instant);
  return Number.isNaN(parsed) ? -8.64e15 : parsed;
}

/** Marks of an axis of counts from 0 up to a little above `max`: two to four whole numbers, the last is the top. */
export function countTicks(max: number): number[] {
  const top = Math.max(1, max);
  const power = 10 ** Math.floor(Math.log10(top));
  const step =
    [0.5, 1, 2, 5].map((each) => Math.max(1, Math.round(each * power))).find((each) => top / each <= 3) ?? top;
  return Array.from({ length: Math.ceil(top / step) + 1 }, (_, index) => index * step);
}

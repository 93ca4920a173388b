import fc from "fast-check";
import { expect, test } from "vitest";
import { binsOf } from "./bins";

test("60 to 180 bins cover any stretch from a minute to ten years, on whole multiples of their width", () => {
  const stretch = fc.tuple(fc.integer({ min: 0, max: 4e12 }), fc.integer({ min: 61_000, max: 315_360_000_000 }));
  fc.assert(
    fc.property(stretch, ([fromMs, lengthMs]) => {
      const bins = binsOf(fromMs, fromMs + lengthMs);
      expect(bins.count).toBeLessThanOrEqual(180);
      if (lengthMs <= 180 * 200 * 86_400_000) expect(bins.count).toBeGreaterThanOrEqual(60);
      expect(bins.fromMs % bins.widthMs).toBe(0);
      expect(bins.fromMs).toBeLessThanOrEqual(fromMs);
      expect(bins.toMs).toBeGreaterThanOrEqual(fromMs + lengthMs);
      expect(bins.toMs - bins.fromMs).toBe(bins.count * bins.widthMs);
    }),
  );
});

test("a stretch of nothing has one bin", () => expect(binsOf(5_000, 5_000)).toMatchObject({ count: 1 }));

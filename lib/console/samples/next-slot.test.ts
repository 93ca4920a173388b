import fc from "fast-check";
import { expect, test } from "vitest";
import { SLOT_MS, untilNextSlot } from "./next-slot";

test("a keeper whose readings take their time, and wake late, reads each 5 s once and leaves none out", () => {
  const delays = fc.array(fc.integer({ min: 0, max: 2_400 }), { minLength: 50, maxLength: 200 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), delays, (startMs, lateMs) => {
      let atMs = startMs;
      const slots = lateMs.map((late) => {
        const slot = Math.floor(atMs / SLOT_MS);
        atMs += untilNextSlot(atMs) + late;
        return slot;
      });
      const [first = 0] = slots;
      expect(slots).toEqual(slots.map((_, index) => first + index));
    }),
  );
});

test("it is never due sooner than half a slot, nor later than one and a half", () => {
  for (let into = 0; into < SLOT_MS; into += 25) {
    expect(untilNextSlot(into)).toBeGreaterThan(SLOT_MS / 2);
    expect(untilNextSlot(into)).toBeLessThanOrEqual(SLOT_MS * 1.5);
  }
});

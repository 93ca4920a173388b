import { expect, test } from "vitest";
import { clearlyBefore } from "./ending";

const HOUR = 3_600_000;

test.each([0, HOUR, -HOUR])("before or after is told by both clocks, %i ms apart", (apartMs) => {
  const now = { storeMs: 50_000 + apartMs, ownMs: 50_000 };
  const before = (atMs: number) => clearlyBefore(atMs + apartMs, 20_000, now);
  expect(before(10_000)).toBe(true);
  expect(before(18_900)).toBe(true);
  expect(before(19_100)).toBe(false);
  expect(before(30_000)).toBe(false);
});

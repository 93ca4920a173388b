import { expect, test } from "vitest";
import { stillFails } from "./still-fails";

const SECOND = 1_000;
const seen = (failures: number, spanMs: number, healedMs: number | null = null) => ({
  failures,
  firstMs: 1_000_000 - spanMs,
  lastMs: 1_000_000,
  healedMs,
});
const after = (ms: number) => 1_000_000 + ms;

test("a single failure counts for a minute", () => {
  expect(stillFails(seen(1, 0), after(59 * SECOND))).toBe(true);
  expect(stillFails(seen(1, 0), after(60 * SECOND))).toBe(false);
});

test("many close failures count for 10 s, however close they were", () => {
  expect(stillFails(seen(100, 5 * SECOND), after(9.9 * SECOND))).toBe(true);
  expect(stillFails(seen(100, 5 * SECOND), after(10 * SECOND))).toBe(false);
});

test("rare failures count for three of their gaps", () => {
  expect(stillFails(seen(5, 80 * SECOND), after(59 * SECOND))).toBe(true);
  expect(stillFails(seen(5, 80 * SECOND), after(60 * SECOND))).toBe(false);
});

test("a write that had failed and went through ends it after 3 s of quiet; one that went through before does not", () => {
  expect(stillFails(seen(5, 80 * SECOND, after(SECOND)), after(2.9 * SECOND))).toBe(true);
  expect(stillFails(seen(5, 80 * SECOND, after(SECOND)), after(3 * SECOND))).toBe(false);
  expect(stillFails(seen(5, 80 * SECOND, after(-SECOND)), after(3 * SECOND))).toBe(true);
});

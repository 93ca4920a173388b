import { expect, test } from "vitest";
import { groupAge } from "./group-age";

const DAY = 86_400_000;
const NOW = 100 * DAY;

test("a group is new while it was first seen within the view, regressed when it came back within it, else known", () => {
  const of = (firstDay: number, backDay: number | null, from: number | null = null) =>
    groupAge({ everFirstMs: firstDay * DAY, regressedMs: backDay === null ? null : backDay * DAY }, NOW, from);
  expect(of(99.5, null)).toBe("new");
  expect(of(90, null)).toBe("known");
  expect(of(90, 99.5)).toBe("regressed");
  expect(of(90, 95)).toBe("known");
  expect(of(90, 95, 94 * DAY)).toBe("regressed");
  expect(of(95, 99, 94 * DAY)).toBe("new");
});

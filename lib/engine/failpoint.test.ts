import { expect, test } from "vitest";
import { failpoint, parseFailpoints } from "./failpoint";

test("unset, it does nothing at all", () => {
  expect(failpoint("settle.before_commit")).toBeUndefined();
});

test("settings are read, and a wrong one is refused", () => {
  expect([...parseFailpoints("apply.after=pause:500,claim.after=kill@3")]).toEqual([
    ["apply.after", { action: "pause:500", at: null, hits: 0 }],
    ["claim.after", { action: "kill", at: 3, hits: 0 }],
  ]);
  expect(() => parseFailpoints("apply.after")).toThrow("name=action");
});

import { expect, it } from "vitest";
import { initials } from "./initials";
import { currentOf } from "./nav-entries";

it("an entry is current on its page and, less so, below it", () => {
  expect(currentOf("/dead-letters", "/dead-letters")).toBe("page");
  expect(currentOf("/dead-letters", "/dead-letters/persistence-retry/1")).toBe("true");
  expect(currentOf("/dead-letters", "/dead-letters-old")).toBeUndefined();
  expect(currentOf("/", "/retries")).toBeUndefined();
});

it("initials of people and places", () => {
  expect(["Maya Okafor", "prod-eu", "maya", "m", ""].map(initials)).toEqual(["MO", "PE", "MA", "M", "?"]);
});

import { expect, test } from "vitest";
import { TokenInput } from "./token-input";

const GOOD = { name: "ci", scopes: ["read"], days: 90 };
const told = (more: Record<string, unknown>) =>
  TokenInput.safeParse({ ...GOOD, ...more }).error?.issues.map(({ path, message }) => [path[0], message]);
const CHOOSE = "Choose what it may do.";
const DAYS = "A whole number of days, 1 to 366.";

test.each([
  [{ name: "" }, "name", "A name tells you later what it is for."],
  [{ name: "\u2800" }, "name", "At least one character of it must be seen."],
  [{ name: "c\u0007i" }, "name", "No control characters, nor others that are not seen."],
  [{ name: "a".repeat(81) }, "name", "At most 80 characters."],
  [{ scopes: [] }, "scopes", CHOOSE],
  [{ scopes: ["requeue"] }, "scopes", CHOOSE],
  [{ scopes: ["read", "mark", "read"] }, "scopes", CHOOSE],
  [{ scopes: null }, "scopes", CHOOSE],
  [{ days: 0 }, "days", DAYS],
  [{ days: 367 }, "days", DAYS],
  [{ days: 1.5 }, "days", DAYS],
  [{ days: Number.NaN }, "days", DAYS],
  [{ days: "90" }, "days", DAYS],
])("what is wrong with %j is told in a sentence, once", (more, field, sentence) =>
  expect(told(more)).toEqual([[field, sentence]]),
);

test("what is right passes", () => expect(told({})).toBeUndefined());

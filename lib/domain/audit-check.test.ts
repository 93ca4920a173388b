import { expect, test } from "vitest";
import { checkWords, earlierCheckWords } from "./audit-check";

test("an earlier check is told as one of the rows that there were then", () => {
  expect(earlierCheckWords({ rows: 0, wrong: 0 })).toBe("there was no row yet");
  expect(earlierCheckWords({ rows: 1, wrong: 0 })).toBe("nothing wrong among the 1 row that there was then");
  expect(earlierCheckWords({ rows: 1_312, wrong: 0 })).toBe("nothing wrong among the 1,312 rows that there were then");
  expect(earlierCheckWords({ rows: 0, wrong: 2 })).toBe("2 things are wrong among the 0 rows that there were then");
});

test("a check of just now says what it read", () => {
  expect(checkWords({ rows: 1, wrong: 1 })).toBe("1 row, 1 thing is wrong");
  expect(checkWords({ rows: 312, wrong: 0 })).toBe("312 rows, nothing wrong");
});

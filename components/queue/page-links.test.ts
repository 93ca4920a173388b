import { expect, it } from "vitest";
import { pageLinks } from "./page-links";

const query = { state: "due", after: "here", before: undefined };
const given = { path: "/retries", query, rows: 100, total: "1,284" };

it("the first page says its place and leads on only", () => {
  expect(pageLinks({ ...given, query: { state: "due" }, next: "n", previous: null })).toEqual({
    first: null,
    previous: null,
    next: "/retries?state=due&after=n",
    label: "1 to 100 of 1,284",
  });
});

it("another page leads both ways, and never carries two places at once", () => {
  expect(pageLinks({ ...given, next: "n", previous: "p" })).toEqual({
    first: "/retries?state=due",
    previous: "/retries?state=due&before=p",
    next: "/retries?state=due&after=n",
    label: "100 rows of 1,284",
  });
});

it("a single row is one row, and an untold total is left out", () => {
  expect(pageLinks({ ...given, rows: 1, total: null, next: null, previous: "p" }).label).toBe("1 row");
});

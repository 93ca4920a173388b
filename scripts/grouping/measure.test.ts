import { expect, test } from "vitest";
import { measure, oneForTheirWords } from "./measure";

/** `a1 a1 b1`: a cause and the fingerprint it got. */
const figures = (clusters: string) =>
  measure(
    clusters.split(" ").map((each) => ({ cause: each.charAt(0), error: each.slice(1) })),
    (error) => error,
  );

test("a grouping that is right has precision and recall of 1, and nothing to tell", () => {
  expect(figures("a1 a1 a1 b2 b2 c3")).toEqual({ precision: 1, recall: 1, joined: [], split: [] });
});

test("two causes in one group cost precision, pair by pair, and are named", () => {
  // 3 pairs of a, 1 of b; together 10.
  expect(figures("a1 a1 a1 b1 b1")).toEqual({ precision: 0.4, recall: 1, joined: ['"a" and "b": 1'], split: [] });
});

test("a cause in two groups costs recall, pair by pair, and is named", () => {
  // 6 pairs of a, of which 3 are together.
  expect(figures("a1 a1 a1 a2")).toEqual({ precision: 1, recall: 0.5, joined: [], split: ['"a": 1\n    2'] });
});

test("all in one group, and each in its own, are the two worst groupings", () => {
  expect(figures("a1 b1 c1 d1")).toMatchObject({ precision: 0, recall: 1 });
  expect(figures("a1 a2 a3 a4")).toMatchObject({ precision: 1, recall: 0 });
});

test("causes worded alike to the letter are one, whichever of their variants it is; others stay what they are", () => {
  const samples = ["a:x", "a:y", "b:y", "b:z", "c:z", "d:w"].map((each) => ({
    cause: each.charAt(0),
    error: each.slice(2),
  }));
  expect(new Set(oneForTheirWords(samples).map(({ cause }) => cause))).toEqual(new Set(["a = b = c", "d"]));
});

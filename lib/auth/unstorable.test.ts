import { expect, test } from "vitest";
import { unstorable } from "./unstorable";

test("a NUL and half a character are found wherever they stand, by their place", () => {
  const nul = "A NUL character cannot be stored.";
  const half = "Half of a character (a lone surrogate) cannot be stored.";
  expect(unstorable("a\u0000")).toEqual({ path: "", message: nul });
  expect(unstorable({ username: "maya", password: "\u0000" })).toEqual({ path: "password", message: nul });
  expect(unstorable({ note: "a\ud800b" })).toEqual({ path: "note", message: half });
  expect(unstorable({ note: "\udc00" })).toEqual({ path: "note", message: half });
  expect(unstorable({ items: [{ id: "1" }, { id: "\ud83d" }] })).toEqual({ path: "items.1.id", message: half });
  expect(unstorable({ marks: { "a\ud800": 1 } })).toEqual({ path: "marks", message: half });
});

test("everything else can be stored", () => {
  for (const value of [undefined, null, 7, true, "👩‍👩‍👧", { a: ["李", { b: null }] }, []])
    expect(unstorable(value)).toBeNull();
});

import { describe, expect, it } from "vitest";
import { paramsReader } from "./params";

const ID = "0193a7f2-0000-0000-0000-00000000D6D8";

describe("a parameter of an address", () => {
  it("is trimmed, and nothing when it is empty", () => {
    const read = paramsReader({ kind: "  combat_rewards ", owner: " ", other: "" });
    expect([read.text("kind"), read.text("owner"), read.text("other"), read.text("absent")]).toEqual([
      "combat_rewards",
      undefined,
      undefined,
      undefined,
    ]);
    expect(read.notes).toEqual([]);
  });

  it("that was given twice counts once, and that is said", () => {
    const read = paramsReader({ kind: ["a", "b"] });
    expect(read.text("kind")).toBe("a");
    expect(read.notes).toEqual(["kind was given 2 times: the first counts."]);
  });

  it.each([
    ["10 KB", "x".repeat(10_240), /longer than 200 characters/],
    ["a NUL", "a\u0000b", /no stored text can have/],
    ["a lone surrogate", "a\ud800", /no stored text can have/],
    ["what a lone surrogate decodes to", "a\ufffd", /no stored text can have/],
  ])("with %s is left out with a note", (_, value, note) => {
    const read = paramsReader({ q: value });
    expect(read.text("q")).toBeUndefined();
    expect(read.notes).toHaveLength(1);
    expect(read.notes[0]).toMatch(note);
  });

  it("keeps what a store can hold, whatever the script", () => {
    for (const value of ["дракон", "龍 🐉", "a'b\"c\\d", "100%", "__proto__"]) {
      expect(paramsReader({ q: value }).text("q")).toBe(value);
    }
  });
});

describe("a list of known words", () => {
  const read = (state: string) => {
    const reader = paramsReader({ state });
    return { values: reader.list("state", ["due", "leased", "expired"]), notes: reader.notes };
  };
  it("keeps its own order and names what is unknown", () => {
    expect(read("expired,due,due")).toEqual({ values: ["due", "expired"], notes: [] });
    expect(read("due,frozen").notes).toEqual(["There is no state “frozen”: it was left out."]);
    expect(read("constructor,__proto__").values).toEqual([]);
    expect(read(",,").values).toEqual([]);
  });
});

it("an id is one that Postgres takes, in small letters", () => {
  const read = paramsReader({ a: ID, b: "Brannoch", c: `${ID}0` });
  expect(read.uuid("a", "character")).toBe(ID.toLowerCase());
  expect(read.uuid("b", "character")).toBeUndefined();
  expect(read.uuid("c", "character")).toBeUndefined();
  expect(read.notes[0]).toBe("“Brannoch” is not the id of a character, so b was left out.");
});

it("a number stays in its bounds", () => {
  const read = paramsReader({ a: "3", b: "0", c: "1e3", d: "-1", e: "99999999999999" });
  expect(["a", "b", "c", "d", "e"].map((key) => read.count(key, 1, 100))).toEqual([
    3,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(read.notes).toHaveLength(4);
});

it("a place that nobody gave out leads to the first page", () => {
  const read = paramsReader({ after: "cut-in-the-mid" });
  expect(read.place("after", () => false)).toBeUndefined();
  expect(read.notes).toEqual(["The place in the list was not understood, so this is its first page."]);
});

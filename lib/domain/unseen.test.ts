import fc from "fast-check";
import { expect, test } from "vitest";
import { escapeUnseen, markUnseen, seenLength } from "./unseen";

test("colours of terminals, turned directions and blanks of no width are told by their names", () => {
  expect(markUnseen("\u001b[31mred\u0007 \u202eevil\u2069 \u200b\ufeff\u0085 \u{e0041}")).toBe(
    "‹ESC›[31mred‹BEL› ‹RLO›evil‹PDI› ‹ZWSP›‹BOM›‹U+0085› ‹U+E0041›",
  );
});

test("a carriage return that would write over its line is seen, and the end of a line is one", () => {
  expect(markUnseen("safe\rEVIL\r\nnext\n\tin")).toBe("safe‹CR›EVIL\r\nnext\n\tin");
});

test("letters of every script and joined emoji stay as they are", () => {
  for (const text of ["错误 418 无法写入奖励", "خطأ 12 تعذر الحفظ", "👩‍👩‍👧 🐉🔥", "می‌خواهم", "ERROR 23503"])
    expect(markUnseen(text)).toBe(text);
});

test("what was marked once stays as it is", () => {
  const once = markUnseen("\u202e\u001b");
  expect(markUnseen(once)).toBe(once);
});

test("what is seen by itself is counted, and blanks, marks and fillers are not", () => {
  for (const text of [
    "",
    " \u00a0\u3000\t\n",
    "\u200b\u200d\u2060\ufeff",
    "\u0301\u0301",
    "\u115f\u1160\u3164\uffa0\u2800",
  ])
    expect([text, seenLength(text)]).toEqual([text, 0]);
  for (const text of ["\ud800", "\u2028\u2029", "\ufe0f\u20e3"]) expect(seenLength(text)).toBe(0);
  expect(["a b", "é", "e\u0301", "می‌خواهم", "👩‍👩‍👧", "错误"].map(seenLength)).toEqual([2, 1, 1, 7, 3, 2]);
});

test("JSON that is escaped reads back as the very same, and nothing in it is unseen", () => {
  const odd = { "k\u202e": "\u001b[31m \u009b \u2066x\u{e0041}\ufeff \r\n\t" };
  expect(escapeUnseen(JSON.stringify(odd))).toBe(
    '{"k\\u202e":"\\u001b[31m \\u009b \\u2066x\\udb40\\udc41\\ufeff \\r\\n\\t"}',
  );
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const json = escapeUnseen(JSON.stringify([text]));
      expect(JSON.parse(json)).toEqual([text]);
      expect(markUnseen(json)).toBe(json);
    }),
  );
});

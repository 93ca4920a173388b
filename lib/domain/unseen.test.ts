import { expect, test } from "vitest";
import { markUnseen } from "./unseen";

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

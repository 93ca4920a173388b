import { expect, test } from "vitest";
import { nameText } from "./name-text";

const why = (text: unknown) => {
  const parsed = nameText("A name is missing.").safeParse(text);
  return parsed.success ? null : parsed.error.issues.map(({ message }) => message);
};

test("names of every script are kept, with what joins their letters", () => {
  for (const name of [
    "Maya Okafor",
    "Ærøskøbing",
    "Zoë",
    "می‌خواهم",
    "ক্‍ষ",
    "李小龍",
    "👩‍👩‍👧 on call",
    "👩🏽‍❤️‍👨",
    "O'Neill-Smith",
    "1️⃣",
  ])
    expect([name, why(name)]).toEqual([name, null]);
  expect(nameText("").parse("  Maya ")).toBe("Maya");
});

test.each([
  ["nothing", "", "A name is missing."],
  ["no text", 7, "A name is missing."],
  ["blanks alone", " \u3000 ", "A name is missing."],
  ["fillers alone", "\u3164\u115f\u2800", "At least one character of it must be seen."],
  ["marks alone", "\u0301\u0302", "At least one character of it must be seen."],
  ["a line separator", "Maya\u2028Okafor", "No line breaks."],
  ["a paragraph separator", "Maya\u2029Okafor", "No line breaks."],
  ["a line end", "Maya\nOkafor", "No line breaks."],
  ["NUL", "Ma\u0000ya", "No control characters, nor others that are not seen."],
  ["another direction", "Ma\u202eya", "No control characters, nor others that are not seen."],
  ["half a character", "Ma\ud800ya", "No control characters, nor others that are not seen."],
  ["a blank of no width", "Ma\u200bya", "No control characters, nor others that are not seen."],
  ["a joiner that joins nothing", "Ma \u200dya", "No control characters, nor others that are not seen."],
  ["a joiner at the end", "Maya\u200d", "No control characters, nor others that are not seen."],
  ["two joiners", "Ma\u200d\u200cya", "No control characters, nor others that are not seen."],
  ["a tower of marks", `Z${"\u0301".repeat(5)}oe`, "At most 4 marks over one letter."],
  ["too much", "a".repeat(81), "At most 80 characters."],
])("%s is told in words, once", (_what, text, sentence) => expect(why(text)).toEqual([sentence]));

test("a tower of 4 marks stays", () => expect(why(`Z${"\u0301".repeat(4)}oe`)).toBeNull());

import { expect, test } from "vitest";
import { newEntry, readEntry, withOneAttemptMore } from "./entry";
import { readLetter } from "./letter";

const ENTRY = '{"entry_id":"e","attempts":0,"enqueued_at":"t","item":{}}';

test.each([
  ["an id that is missing", '{"attempts":0,"item":{}}'],
  ["an id that is empty", '{"entry_id":"","attempts":0,"item":{}}'],
  ["an id that is a number", '{"entry_id":7,"attempts":0,"item":{}}'],
  ["attempts that are missing", '{"entry_id":"e","item":{}}'],
  ["attempts below nothing", '{"entry_id":"e","attempts":-1,"item":{}}'],
  ["half an attempt", '{"entry_id":"e","attempts":0.5,"item":{}}'],
  ["attempts beyond counting", '{"entry_id":"e","attempts":99999999999,"item":{}}'],
  ["no item", '{"entry_id":"e","attempts":0}'],
  ["two items", '{"entry_id":"e","attempts":0,"item":1,"item":2}'],
  ["an item in both forms", '{"entry_id":"e","attempts":0,"item":1,"item_b64":"eA=="}'],
  ["base64 that is none", '{"entry_id":"e","attempts":0,"item_b64":"***"}'],
  ["two ids", '{"entry_id":"e","entry_id":"f","attempts":0,"item":1}'],
  ["a list around it", `[${ENTRY}]`],
  ["something behind it", `${ENTRY}}`],
  ["a byte order mark before it", `\ufeff${ENTRY}`],
  ["nothing", ""],
])("with %s it is no entry", (_what, text) => {
  expect(readEntry(Buffer.from(ENTRY))).not.toBeNull();
  expect(readEntry(Buffer.from(text))).toBeNull();
});

test.each([
  ["nothing beside them", '{"entry_id":"e","attempts":12,"enqueued_at":"t","item":{"a":1}}'],
  ["a requeue", '{"entry_id":"e","attempts":0,"enqueued_at":"t","requeued_from":"l","operation_id":"o","item":[]}'],
  ["a field behind the item", '{"entry_id":"e","attempts":3,"enqueued_at":"t","item":1,"more":2}'],
  ["blanks around the item", '{"entry_id":"e","attempts":3,"enqueued_at":"t","item": "x" }'],
  ["other characters", '{"entry_id":"é","attempts":3,"enqueued_at":"t","item":"🜂"}'],
  [
    "no item but a text that looks like one",
    '{"entry_id":"e","attempts":3,"enqueued_at":"t","item":,"item_b64":"eA=="}',
  ],
])("entries as we write them, with %s, are read as those of any writer are", (_what, text) => {
  const ours = readEntry(Buffer.from(text));
  // A blank before it, and it is nobody's way of writing.
  const any = readEntry(Buffer.from(` ${text}`));
  const placed = any && { ...any, attemptsAt: { start: any.attemptsAt.start - 1, end: any.attemptsAt.end - 1 } };
  expect(ours).toEqual(placed);
  expect(ours === null).toBe(text.includes('"item":,'));
});

test("an id is read in its own characters, escaped or not", () => {
  expect(readEntry(Buffer.from('{"entry_id":"é\\u00e9🜂","attempts":0,"item":1}'))?.entryId).toBe("éé🜂");
});

test("the count that is raised is the entry's own, not one of its item or of a name that looks like it", () => {
  const text = '{"item":{"attempts":3},"x":{"attempts":5},"attempts":9,"entry_id":"attempts"}';
  const bytes = Buffer.from(text);
  const entry = readEntry(bytes);
  if (!entry) throw new Error("not an entry");
  expect(withOneAttemptMore(bytes, entry).toString()).toBe(text.replace('"attempts":9', '"attempts":10'));
});

test.each([
  ["no id", '{"entry_id":"e","failed_attempts":8,"error":"x","item":1}'],
  ["no count", '{"dead_letter_id":"d","entry_id":"e","error":"x","item":1}'],
  ["no item", '{"dead_letter_id":"d","entry_id":"e","failed_attempts":8,"error":"x"}'],
])("with %s it is no letter", (_what, text) => {
  expect(readLetter(Buffer.from(text))).toBeNull();
});

const LETTER = (error: string, rest = '"item":{"a":[]}}') =>
  `{"dead_letter_id":"d","entry_id":"e","failed_attempts":8,"error":${error},"dead_lettered_at":"t",${rest}`;

test.each([
  ["a plain error", LETTER('"broken"')],
  ["an error with escapes and other characters", LETTER('"it said \\"no\\"\\n: é🜂 \\ud800"')],
  ["an error that is too long for its head", LETTER(`"${"x".repeat(5_000)}"`)],
  ["a requeue before it", LETTER('"x"', '"requeued_from":"l","operation_id":"o","item":1}')],
  ["an item as base64", LETTER('"x"', '"item_b64":"eA=="}')],
  ["a field behind the item", LETTER('"x"', '"item":1,"more":2}')],
  ["no id of an entry", LETTER('"x"').replace('"entry_id":"e"', '"entry_id":""')],
])("letters as we write them, with %s, are read as those of any writer are", (_what, text) => {
  const ours = readLetter(Buffer.from(text));
  expect(ours).not.toBeNull();
  expect(ours).toEqual(readLetter(Buffer.from(` ${text}`)));
});

test("an error that is no string makes no letter", () => {
  for (const error of ['"\\x"', '"\u0007"']) expect(readLetter(Buffer.from(LETTER(error)))).toBeNull();
});

test.each([" 1", "1 ", '\n{"a":1}', '{"a":1}\t'])(
  "an item with blanks around it (%j) is written as base64: whoever reads it gets them",
  (item) => {
    const [, after] = newEntry({ entryId: "e", item: Buffer.from(item) });
    expect(String(after)).toBe(`","item_b64":"${Buffer.from(item).toString("base64")}"}`);
  },
);

import { expect, test } from "vitest";
import { readEntry, withOneAttemptMore } from "./entry";
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

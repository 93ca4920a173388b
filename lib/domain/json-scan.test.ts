import fc from "fast-check";
import { expect, test } from "vitest";
import { scanJson } from "./json-scan";

const nothing = { open() {}, close() {}, key() {}, value() {} };
const isJson = (text: string) => scanJson(text, nothing) === null;

test("it takes exactly what JSON.parse takes", () => {
  const native = (text: string) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  const pieces = fc.constantFrom(
    ..."{}[],:",
    '"a"',
    '"',
    "\\u12",
    "\\n",
    "1",
    "-",
    "0",
    "01",
    "1.5",
    "1e5",
    "e",
    "true",
    "nul",
    "null",
    " ",
    "\t",
    "\u0001",
    "\ud800",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json(),
        fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join("")),
      ),
      (text) => {
        expect(isJson(text)).toBe(native(text));
      },
    ),
    { numRuns: 3_000 },
  );
});

test("put together again, what it met is the text without its spaces", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const parts: string[] = [];
      const brackets: string[] = [];
      scanJson(JSON.stringify(value, null, 2), {
        open(array) {
          parts.push(array ? "[" : "{");
          brackets.push(array ? "]" : "}");
        },
        close: () => parts.push(brackets.pop() ?? ""),
        key: (text) => parts.push(text),
        value: (text) => parts.push(text),
        between: (char) => parts.push(char),
      });
      expect(parts.join("")).toBe(JSON.stringify(value));
    }),
  );
});

test("a text that stops being JSON is told where; a million levels of nesting cost no stack", () => {
  expect(scanJson('{"a": tru}', nothing)).toBe(6);
  expect(scanJson("[1,]", nothing)).toBe(3);
  expect(scanJson("[1] 2", nothing)).toBe(4);
  expect(isJson(`${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}`)).toBe(true);
});

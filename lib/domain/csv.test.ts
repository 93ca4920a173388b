import fc from "fast-check";
import { expect, test } from "vitest";
import { csvLine } from "./csv";
import { markUnseen } from "./unseen";

/** As RFC 4180 reads it. */
function read(line: string): string[] {
  const cells: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (let match = cell.exec(line); match; match = cell.exec(line)) {
    cells.push(match[1] === undefined ? (match[2] ?? "") : match[1].replaceAll('""', '"'));
    if (match[3] === "\r\n") break;
  }
  return cells;
}

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\n=1"])("%j is no formula any more", (text) =>
  expect(read(csvLine([text, "x"]))).toEqual([`'${text}`, "x"]),
);

test("whatever stands in a cell is one cell, and no cell begins like a formula", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" }), { minLength: 1, maxLength: 6 }), (texts) => {
      const cells = read(csvLine(texts));
      const seen = texts.map(markUnseen);
      expect(cells.map((cell, at) => (cell === seen[at] ? cell : cell.slice(1)))).toEqual(seen);
      for (const cell of cells) expect(cell).not.toMatch(/^[=+\-@\t\r\n]/);
    }),
  );
});

test("a missing value is an empty cell, a number is a number", () => expect(csvLine([null, 8, "a"])).toBe(",8,a\r\n"));

test("what turns the direction of writing, steers a terminal or is not seen stands in a file under its name", () =>
  expect(csvLine(["\u202egnp.exe", "\u001b[31mred", "\r=1", "a\r\nb", "\u200b=1"])).toBe(
    '‹RLO›gnp.exe,‹ESC›[31mred,‹CR›=1,"a\r\nb",‹ZWSP›=1\r\n',
  ));

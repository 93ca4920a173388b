import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { describe, expect, test } from "vitest";

// docs/reliability.md names the test of each promise; a name that leads nowhere would be a promise without one.

const PAGE = readFileSync("docs/reliability.md", "utf8");
const FILES = [...PAGE.matchAll(/`([\w./*-]+\.(?:store\.test|test|spec)\.ts)`/g)].map(([, file]) => file ?? "");
const NAMED = [...PAGE.matchAll(/`([\w./-]+\.ts)`: "(.+?)"(?=<br>| \|)/g)].map(
  ([, file = "", title = ""]) => [file, title] as const,
);

/** `findings*.store.test.ts` stands for several. */
function exists(file: string): boolean {
  if (!file.includes("*")) return existsSync(file);
  const [before = "", after = ""] = basename(file).split("*");
  return readdirSync(dirname(file)).some((name) => name.startsWith(before) && name.endsWith(after));
}

describe("docs/reliability.md", () => {
  test("names tests that exist", () => {
    expect(FILES.length).toBeGreaterThan(60);
    expect(FILES.filter((file) => !exists(file))).toEqual([]);
    expect(NAMED.length).toBeGreaterThan(60);
    const gone = NAMED.filter(([file, title]) => !readFileSync(file, "utf8").includes(title));
    expect(gone).toEqual([]);
  });

  test("gives every sentence of its table a test", () => {
    const table = PAGE.split("## Persistence retry, sentence by sentence")[1]?.split("\n## ")[0] ?? "";
    const rows = table.split("\n").filter((line) => line.startsWith("| ") && !/^\| (---|what holds)/.test(line));
    expect(rows.length).toBeGreaterThan(50);
    expect(rows.filter((row) => !/`: "/.test(row))).toEqual([]);
  });
});

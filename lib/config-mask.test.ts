import { expect, test } from "vitest";
import { parseConfig } from "./config";
import { maskingOf, parseMaskPaths, parseMaskPatterns } from "./config-mask";
import { maskError } from "./domain/mask-error";
import { viewPayload } from "./domain/payload-view";

const shown = (source: string, paths?: string, patterns?: string) =>
  viewPayload(source, maskingOf(paths, patterns))?.raw ?? "not JSON";

test.each([
  ["secret", '{"a":{"secret":"x-1"},"secret":["x-2",{"b":3}],"other":"kept"}', ["x-1", "x-2", ":3"]],
  ["player.address", '{"player":{"address":{"street":"x-1"}},"address":"kept"}', ["x-1"]],
  ["items[].serial", '{"items":[{"serial":"x-1"},{"serial":"x-2","name":"kept"}]}', ["x-1", "x-2"]],
  ["$.token", '{"token":"x-1","in":{"token":"kept"}}', ["x-1"]],
  ["Player.E-Mail", '{"player":{"e_mail":"x-1"},"kept":1}', ["x-1"]],
  ["a.b", '{"a.b":"x-1","b":"kept"}', ["x-1"]],
])("the path %s masks what it names, and nothing else", (path, source, secrets) => {
  for (const secret of secrets) expect(shown(source, path)).not.toContain(secret);
  if (source.includes("kept")) expect(shown(source, path)).toContain("kept");
  expect(shown(source)).toBe(source);
});

test("a pattern masks the value, the key and the stretch of an error that it finds", () => {
  const patterns = "\\bsk_[a-z0-9]{8,}\\b\n^DE\\d{20}$";
  const masking = maskingOf(undefined, patterns);
  expect(
    shown('{"k":"sk_live12345678","v":{"sk_live12345678":1},"i":"DE12345678901234567890","n":"kept"}', "", patterns),
  ).toBe('{"k":"‹redacted, 15 bytes›","v":{"‹redacted, 15 bytes›":1},"i":"‹redacted, 22 bytes›","n":"kept"}');
  expect(maskError("refused sk_live12345678 for good", [], masking)).toBe("refused ‹redacted› for good");
});

test("a masked key is not named by the path of what stands below it", () => {
  const view = viewPayload('{"jane@example.com":{"session_token":"tok-1"}}', maskingOf(undefined, undefined));
  expect(JSON.stringify(view)).not.toContain("jane");
  expect(view?.masked).toHaveLength(1);
});

test.each(["a..b", "", " . ", "$.", "[]", Array.from({ length: 51 }, (_, n) => `k${n}`).join(",")])(
  "paths that name nothing, or too many, are refused at the start: %s",
  (paths) => {
    if (paths.trim() === "") return expect(parseMaskPaths(paths)).toEqual([]);
    expect(parseMaskPaths(paths)).toBeNull();
    expect(() => parse({ BACKSTOP_MASK_PATHS: paths })).toThrow(/BACKSTOP_MASK_PATHS/);
  },
);

test.each(["(", "a{2,1}", "(?=x)", "(a)\\1", "x*", "a|", "\\p{Nonsense}", "a{100000}", "y".repeat(501)])(
  "a pattern that is wrong, needs a way back, or matches nothing at all is refused at the start: %s",
  (pattern) => {
    expect(parseMaskPatterns(pattern)).toBeNull();
    expect(() => parse({ BACKSTOP_MASK_PATTERNS: pattern })).toThrow(/BACKSTOP_MASK_PATTERNS/);
  },
);

test("no pattern takes long: what would keep other engines busy for years is found missing in a moment", () => {
  const text = `${"a".repeat(50_000)}!`;
  for (const pattern of ["(a+)+$", "(a|aa)+$", "(a|a?)+b", "(.*a){20}c", "([a-z]+)*[0-9]"]) {
    const { find } = maskingOf(undefined, pattern);
    const begun = performance.now();
    find(text);
    expect(performance.now() - begun, pattern).toBeLessThan(3_000);
  }
});

const parse = (more: Record<string, string>) =>
  parseConfig({ BACKSTOP_DATABASE_URL: "postgres://own", BACKSTOP_SECRET: "x".repeat(24), ...more });

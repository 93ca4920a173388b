import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BUILT_IN, NOTHING_MASKED } from "./mask-finders";
import * as view from "./payload-view";
import { stringAt, tokens } from "./source-json";

const viewPayload = (source: string) => view.viewPayload(source, BUILT_IN);
const viewMasked = (raw: string) => view.viewMasked(raw, BUILT_IN);
const maskPayload = (source: string) => view.maskPayload(source, BUILT_IN);

test("values keep their own characters: large integers, 1e400, duplicate keys, lone surrogates, empty lists", () => {
  const source = '{"n":9007199254740993,"e":1e400,"a":[],"k":1,"k":2,"s":"\\ud800","o":{}}';
  const view = viewPayload(source);
  expect(view?.raw).toBe(source);
  expect(view?.text.replace(/\s/g, "")).toBe(source);
});

test("a session token is masked at any depth, as a string, a number, in a list or an object; null stays", () => {
  const source =
    '{"session_token":"tok-1","a":[{"session_token":42}],"session_token":{"x":["tok-2"]},"b":{"session_token":null}}';
  const view = viewPayload(source);
  for (const shown of [view?.text, view?.raw]) {
    expect(shown).not.toContain("tok-1");
    expect(shown).not.toContain("tok-2");
    expect(shown).not.toContain("42");
    expect(shown).toContain("null");
  }
  expect(view?.masked.map((mask) => mask.bytes)).toEqual([5, 2, 5]);
});

test("a key is known however it is spelled", () => {
  for (const key of ["sessionToken", "Session_Token", "session-token", "session_token."]) {
    expect(viewPayload(`{"${key}":"tok-1"}`)?.raw, key).not.toContain("tok-1");
  }
});

test("a token below a session and a list of tokens are masked; a token of something else stays", () => {
  const raw = viewPayload(
    '{"session":{"id":7,"token":"tok-1"},"session_tokens":["tok-2"],"item":{"token":"gold"}}',
  )?.raw;
  expect(raw).not.toMatch(/tok-[12]/);
  expect(raw).toContain("7");
  expect(raw).toContain("gold");
});

test("a key written with escapes is masked too", () => {
  expect(viewPayload('{"session\\u005ftoken":"tok-1"}')?.raw).not.toContain("tok-1");
});

test("what is not JSON gives nothing to show", () => {
  for (const source of [
    "",
    "{",
    "{]",
    "[1,]",
    "nul",
    '{"a" 1}',
    "01",
    '{"a":1} x',
    "\u0000",
    '"\n"',
    "[1 2]",
    "{1:2}",
  ]) {
    expect(viewPayload(source), source).toBeNull();
  }
});

test("a hundred thousand levels of nesting are laid out in bounded time and space", () => {
  const deep = `${"[".repeat(100_000)}1${"]".repeat(100_000)}`;
  const view = viewPayload(deep);
  expect(view?.raw).toBe(deep);
  expect(view?.text).toBe(deep);
});

test("agrees with JSON.parse on what is JSON, and on what strings say", () => {
  fc.assert(
    fc.property(fc.json(), (source) => {
      // Of all numbers that there are some could be a card's.
      const shown = view.viewPayload(source, NOTHING_MASKED);
      expect(shown).not.toBeNull();
      expect(JSON.parse(shown?.text ?? "")).toEqual(JSON.parse(source));
    }),
    { numRuns: 300 },
  );
  fc.assert(
    fc.property(fc.string({ maxLength: 12, unit: fc.constantFrom(...'{}[]:,"\\ 01e-.tn') }), (source) => {
      let parses = true;
      try {
        JSON.parse(source);
      } catch {
        parses = false;
      }
      expect(tokens(source) !== null, source).toBe(parses);
    }),
    { numRuns: 2_000 },
  );
});

test("a value is found by its path", () => {
  const all = tokens('{"idempotency":{"key":"k-1"},"source":"zone","list":[{"a":"b"}]}') ?? [];
  expect(stringAt(all, "idempotency.key")).toBe("k-1");
  expect(stringAt(all, "list[0].a")).toBe("b");
  expect(stringAt(all, "nothing")).toBeNull();
});

describe("what an archive takes from a payload", () => {
  const sources = [
    '{"session_token":"tok-1","a":{"sessionToken":["tok-2",{"x":3}]},"b":null}',
    '{"session\\u005ftoken":"tok-\\u0031","session_token":"tok-4","source":"zone-14"}',
    '{"a.session_token":"tok-5","sessionToken":null,"list":[{"Session-Token":12345678}]}',
    '[{"session_token":{"deep":{"er":"tok-6"}}},"plain"]',
    '"session_token"',
    '{"to":"jane@example.com","jane@example.com":{"card":4111111111111111,"n":9007199254740993},"e":"jane\\u0040x.org"}',
    "[]",
  ];

  test.each(sources)("is masked as its page shows it: %s", (source) => {
    expect(maskPayload(source)?.raw).toBe(viewPayload(source)?.raw);
    expect(viewMasked(maskPayload(source)?.raw ?? "")).toEqual(viewPayload(source));
  });

  test("names each secret as it is and as it is written, and the strings of the outermost object, of a repeated key the last", () => {
    const taken = maskPayload(
      '{"session\\u005ftoken":"tok-\\u0031","session_token":"tok-4","in":{"source":"no"},"source":"zone-14"}',
    );
    expect(taken?.secrets).toEqual(["tok-\\u0031", "tok-1", "tok-4"]);
    expect(taken?.top).toEqual(
      new Map([
        ["session_token", "tok-4"],
        ["source", "zone-14"],
      ]),
    );
  });

  test("is nothing where it is not JSON", () => {
    expect(maskPayload('{"session_token":"tok-1"')).toBeNull();
  });
});

test("e-mail addresses and card-like numbers are masked whole, as values and as keys, however they are written", () => {
  const shown = viewPayload(
    '{"to":"write to jane@example.com","jane@example.com":1,"card":4111111111111111,"e":"jane\\u0040example.com","n":42}',
  );
  expect(shown?.raw).not.toMatch(/jane|4111/);
  expect(shown?.text).not.toMatch(/jane|4111/);
  expect(shown?.raw).toContain('"n":42');
});

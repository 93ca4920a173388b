import { describe, expect, test } from "vitest";
import { isCardNumber } from "./card-number";
import { findBuiltIn } from "./mask-finders";
import { mergedSpans } from "./masking";

const found = (text: string) => mergedSpans(findBuiltIn(text)).map(([from, to]) => text.slice(from, to));

describe("what is masked without being asked for", () => {
  test.each([
    ["no user jane.doe+game@mail.example.com here", "jane.doe+game@mail.example.com"],
    ['{"to":"жанна@почта.рф"}', "жанна@почта.рф"],
    ["GET /find?mail=jane%40example.com HTTP", "jane%40example.com"],
    ["postgres://desk:hunter2@db.example.com/aether", "hunter2@db.example.com"],
    ["card 4111111111111111 was refused", "4111111111111111"],
    ["card 4111 1111 1111 1111.", "4111 1111 1111 1111"],
    ["card 4111-1111-1111-1111,", "4111-1111-1111-1111"],
    ["amex 3782 822463 10005", "3782 822463 10005"],
    ["WRONGTYPE at session:active:tok-secret-1", "tok-secret-1"],
    ["Authorization: Bearer abcdef.123456", "abcdef.123456"],
    ["session_token=tok-secret-1 is over", "tok-secret-1"],
    ['said \\"session_token\\": \\"tok-secret-1\\"', "tok-secret-1"],
  ])("%s", (text, secret) => {
    expect(found(text)).toEqual([secret]);
  });

  test.each([
    "worker-1@10.0.0.3:5432 does not answer",
    "@media and user@ and @example.com",
    "4111111111111112",
    "id 9007199254740993, -18446744073709551617, 1e400",
    "at 1767225600000",
    "0191d1a0-7c1e-7a54-8b1a-5f0c2d6e0001",
    "41111111-1111-4111-8111-411111111111",
    "a4111111111111111b",
    "the session is over",
  ])("and what is not: %s", (text) => {
    expect(found(text)).toEqual([]);
  });

  test("a number is a card's by its issuer and its check digit, not by its length alone", () => {
    for (const digits of ["4111111111111111", "5555555555554444", "378282246310005", "6011111111111117"])
      expect(isCardNumber(digits), digits).toBe(true);
    for (const digits of ["4111111111111112", "1234567812345670", "79927398713"])
      expect(isCardNumber(digits), digits).toBe(false);
  });
});

test("no text takes long, whatever it is made of", () => {
  const size = 300_000;
  const texts = [
    "@",
    "a",
    "a@",
    "a.",
    "1",
    "1 ",
    "4111-",
    "session token ",
    "session_token=",
    "bearer ",
    "%40",
    "a@b.",
  ];
  for (const part of [...texts, "session_token\\\\\\\\        is"]) {
    const text = part.repeat(Math.ceil(size / part.length));
    const begun = performance.now();
    findBuiltIn(text);
    expect(performance.now() - begun, part).toBeLessThan(2_000);
  }
  // One start, and then whatever could be tried in two ways.
  const begun = performance.now();
  findBuiltIn(`session_token${" ".repeat(size)}${'"'.repeat(size)}`);
  expect(performance.now() - begun).toBeLessThan(500);
});

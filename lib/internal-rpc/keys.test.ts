import { randomBytes } from "node:crypto";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { parseRpcKeys } from "./keys";

const key = (bytes = 32) => randomBytes(bytes).toString("base64");

describe("BACKSTOP_RPC_KEYS", () => {
  test("one or two keys, the first of them first", () => {
    expect(parseRpcKeys(`a:${key()}`).map(({ id }) => id)).toEqual(["a"]);
    expect(parseRpcKeys(`new:${key()}, old:${key(24)}`).map(({ id }) => id)).toEqual(["new", "old"]);
  });

  test.each([
    ["nothing", "", "key 1 has no id"],
    ["no id", key(), "key 1 has no id"],
    ["an empty id", `:${key()}`, "key 1 has no id"],
    ["text that is not base64", "a:not base64 at all, truly!", "key 1 is not base64"],
    ["23 bytes", `a:${key(23)}`, "key 1 is shorter than 24 bytes"],
    ["a second key that is short", `a:${key()},b:${key(8)}`, "key 2 is shorter than 24 bytes"],
    ["the same id twice", `a:${key()},a:${key()}`, "the same id"],
    ["three keys", `a:${key()},b:${key()},c:${key()}`, "at most 2"],
    ["zeros", `a:${Buffer.alloc(32).toString("base64")}`, "is a sample value"],
    ["words in base64", `a:${Buffer.from("this is my Secret of 24 bytes").toString("base64")}`, "is a sample value"],
    ["words that are base64 by chance", `a:${"changeme".repeat(4)}`, "is a sample value"],
    [
      "the key of RFC 9421",
      "a:uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ==",
      "is a sample value",
    ],
  ])("%s is refused, and the error holds no key", (_, text, says) => {
    expect(() => parseRpcKeys(text)).toThrow(says);
    try {
      parseRpcKeys(text);
    } catch (error) {
      for (const part of text.split(/[:,]/).filter((piece) => piece.length > 8))
        expect(String(error)).not.toContain(part);
    }
  });

  test("a parsed key prints as nothing", () => {
    const text = key();
    const keys = parseRpcKeys(`a:${text}`);
    const printed = inspect(keys, { depth: 9 }) + JSON.stringify(keys);
    expect(printed).not.toContain(text);
    expect(printed).not.toContain(Buffer.from(text, "base64").toString("hex"));
  });
});

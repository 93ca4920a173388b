import { expect, test } from "vitest";
import { contentDigest, digestMatches } from "./digest";

// RFC 9530, appendix D: the sha-256 of this body with its line feed.
const body = Buffer.from('{"hello": "world"}\n');
const published = "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:";
const other = contentDigest(Buffer.from("other"));

test("the RFC's digest is made to the byte", () => {
  expect(contentDigest(body)).toBe(published);
});

test.each([
  ["its digest", published, true],
  ["another algorithm beside it", `sha-512=:AAAA:, ${published}`, true],
  ["another body's", other, false],
  ["its digest, then another body's", `${published}, ${other}`, false],
  ["another body's, then its digest", `${other}, ${published}`, false],
  ["another algorithm only", "sha-512=:AAAA:", false],
  ["its digest without colons", published.replaceAll(":", ""), false],
  ["nothing", "", false],
])("%s", (_, header, matches) => {
  expect(digestMatches(header, body)).toBe(matches);
});

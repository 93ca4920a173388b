import { createHash } from "node:crypto";

// What people leave in a file that they copied. Random base64 of 32 bytes holds one of these by chance less than once in
// a billion keys.
const WORDS = ["changeme", "change-me", "change_me", "replace", "example", "sample", "secret", "password", "backstop"];

/** SHA-256 of keys that are printed in public: the shared secret of RFC 9421, appendix B.1.5, and that of our own docs. */
const PUBLISHED = new Set([
  "57ca14d520f889be5bc6d9313b442f62a4a71d63fceac507c914683a8944b4a0",
  "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd",
]);

const DISTINCT_BYTES_MIN = 8;

/** True for a key that nobody drew at random: words, one byte over and over, or a key out of a document. */
export function looksLikeSample(bytes: Buffer, encoded: string): boolean {
  if (new Set(bytes).size < DISTINCT_BYTES_MIN) return true;
  if (PUBLISHED.has(createHash("sha256").update(bytes).digest("hex"))) return true;
  const text = bytes.toString("latin1").toLowerCase();
  return WORDS.some((word) => text.includes(word) || encoded.includes(word));
}

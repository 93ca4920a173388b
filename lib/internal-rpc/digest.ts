import { createHash, timingSafeEqual } from "node:crypto";

/** The `Content-Digest` (RFC 9530) of a body, sha-256. */
export function contentDigest(body: Uint8Array): string {
  return `sha-256=:${createHash("sha256").update(body).digest("base64")}:`;
}

/** True when a `Content-Digest` has a sha-256 member and it is the digest of this body. Other members are not looked at. */
export function digestMatches(header: string, body: Uint8Array): boolean {
  const members = header.split(",").map((member) => member.trim());
  const ours = members.filter((member) => member.startsWith("sha-256="));
  const [given] = ours;
  if (ours.length !== 1 || given === undefined) return false;
  const [a, b] = [Buffer.from(given), Buffer.from(contentDigest(body))];
  return a.length === b.length && timingSafeEqual(a, b);
}

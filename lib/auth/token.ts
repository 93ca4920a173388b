import { createHash, randomBytes } from "node:crypto";

/** 32 random bytes as base64url: for sessions and for the set-up link. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** What is kept of a token. Its 256 random bits need no salt and no slow hash. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** Whether a text could be a token at all; others never reach the database. */
export function isToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

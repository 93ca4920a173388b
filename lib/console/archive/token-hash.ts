import { createHmac } from "node:crypto";

/**
 * What the archive keeps of a session token, and what a search for one compares: HMAC-SHA256, hex. Without the secret
 * nobody can try tokens against it.
 * @param token as it stands in the payload
 * @param secret `config().secret`
 */
export function tokenHash(token: string, secret: string): string {
  return createHmac("sha256", secret).update(token).digest("hex");
}

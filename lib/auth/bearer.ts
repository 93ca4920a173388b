/**
 * The token of `Authorization: Bearer …`; null without one. Other schemes are none of ours: a reverse proxy may have
 * its own.
 */
export function bearerOf(authorization: string | null): string | null {
  return authorization?.match(/^Bearer\s+(\S*)$/i)?.[1] ?? null;
}

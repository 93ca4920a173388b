import { ABSOLUTE_MINUTES } from "@/lib/auth/session";

/** What the session's cookie is called and how it is set. */
export type SessionCookie = {
  name: string;
  options: { httpOnly: true; sameSite: "lax"; secure: boolean; path: "/"; maxAge: number };
};

/**
 * `__Host-backstop` where browsers come by https (no other host, and nobody without TLS, can set or read it);
 * `backstop` on plain-http loopback, where browsers refuse the prefix. Decided by configuration: headers can be forged.
 */
export function sessionCookie(publicOrigin: string | null): SessionCookie {
  const secure = publicOrigin?.startsWith("https:") ?? false;
  return {
    name: secure ? "__Host-backstop" : "backstop",
    options: { httpOnly: true, sameSite: "lax", secure, path: "/", maxAge: ABSOLUTE_MINUTES * 60 },
  };
}

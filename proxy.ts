import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { contentSecurityPolicy, pageHeaders } from "@/lib/auth/page-headers";
import { PATH_HEADER } from "@/lib/auth/return-to";
import { config as settings } from "@/lib/config";

/**
 * Gives each page its headers, with a nonce of its own in the policy, and tells it its own address, so that sign-in can
 * lead back. It lets nobody in and keeps nobody out: each page and each action looks up who asks by itself.
 */
export function proxy(request: NextRequest): NextResponse {
  const policy = contentSecurityPolicy(randomBytes(16).toString("base64"), process.env.NODE_ENV === "development");
  const given = pageHeaders({ policy, publicOrigin: settings().publicOrigin });
  if (!isDecodable(request.nextUrl.pathname))
    return new NextResponse("This address is cut short or damaged.", { status: 400, headers: given });
  const headers = new Headers(request.headers);
  headers.set(PATH_HEADER, `${request.nextUrl.pathname}${request.nextUrl.search}`);
  // Next takes the nonce for its scripts from here.
  headers.set("content-security-policy", policy);
  const response = NextResponse.next({ request: { headers } });
  for (const [name, value] of Object.entries(given)) response.headers.set(name, value);
  return response;
}

/** Next answers a bare 500 to a path with a broken percent sequence. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

export const config = { matcher: "/((?!_next/|api/|fonts/|icon\\.svg).*)" };

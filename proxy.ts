import { type NextRequest, NextResponse } from "next/server";
import { PATH_HEADER } from "@/lib/auth/return-to";

/**
 * Tells pages their own address, so that sign-in can lead back. It protects nothing: each page and each action looks
 * up who asks by itself.
 */
export function proxy(request: NextRequest): NextResponse {
  const headers = new Headers(request.headers);
  headers.set(PATH_HEADER, `${request.nextUrl.pathname}${request.nextUrl.search}`);
  return NextResponse.next({ request: { headers } });
}

export const config = { matcher: "/((?!_next/|api/|fonts/|sign-in|setup).*)" };

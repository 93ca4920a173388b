import { type NextRequest, NextResponse } from "next/server";
import { PATH_HEADER } from "@/lib/auth/return-to";

/**
 * Tells pages their own address, so that sign-in can lead back. It protects nothing: each page and each action looks
 * up who asks by itself.
 */
export function proxy(request: NextRequest): NextResponse {
  if (!isDecodable(request.nextUrl.pathname))
    return new NextResponse("This address is cut short or damaged.", { status: 400 });
  const headers = new Headers(request.headers);
  headers.set(PATH_HEADER, `${request.nextUrl.pathname}${request.nextUrl.search}`);
  return NextResponse.next({ request: { headers } });
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

export const config = { matcher: "/((?!_next/|api/|fonts/|sign-in|setup).*)" };

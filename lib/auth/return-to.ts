/** The header in which `proxy.ts` tells pages their own address. */
export const PATH_HEADER = "x-backstop-path";

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const TRICKS = /[\\\u0000-\u0020\u007f-\u009f]/;

/** The entrance itself, and what is no page: JSON, downloads, the parts of pages. */
const NO_PAGE = /^\/(sign-in|setup|api|_next)(\/|$)/;

/**
 * Where to go after sign-in: a path on this site, or null. Browsers drop tabs and newlines from an address and read a
 * backslash as a slash, so `/\evil`, `//evil` and `/%09/evil` (decoded later by somebody) could all lead away.
 */
export function safeReturnTo(text: string | null | undefined): string | null {
  if (!text || text.length > 1_024 || !text.startsWith("/") || TRICKS.test(text)) return null;
  const url = URL.parse(text, "http://backstop.invalid");
  if (url?.origin !== "http://backstop.invalid") return null;
  const path = decode(url.pathname);
  if (path === null || path.startsWith("//") || /[\\\p{Cc}]/u.test(path)) return null;
  if (NO_PAGE.test(path)) return null;
  return `${url.pathname}${url.search}${url.hash}`;
}

function decode(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

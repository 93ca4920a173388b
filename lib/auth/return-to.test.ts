import { describe, expect, it } from "vitest";
import { safeReturnTo } from "@/lib/auth/return-to";

describe("returnTo", () => {
  it.each([
    "/",
    "/dead-letters?state=open&kind=a%20b",
    "/dead-letters/0197?tab=payload#life-2",
    "/retries?q=50%25",
    "/a:b",
    "/apiary",
  ])("keeps %j", (path) => expect(safeReturnTo(path)).toBe(path));

  it.each([
    "",
    null,
    undefined,
    "dead-letters",
    "https://evil.example/",
    "javascript:alert(1)",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\/evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/%09/evil.example",
    "/%0d%0aSet-Cookie:a=b",
    "/%5Cevil.example",
    "/%2Fevil.example",
    "/..//evil.example",
    "/.//evil.example",
    "/%2e%2e//evil.example",
    " /evil",
    "/\u0000",
    "/\u0085/evil",
    "/%zz",
    `/${"a".repeat(2_000)}`,
    "/sign-in?returnTo=/sign-in",
    "/setup",
    "/api/retries?queue=persistence-retry",
    "/api",
    "/%61pi/export",
    "/_next/static/chunks/main.js",
  ])("refuses %j", (path) => expect(safeReturnTo(path)).toBeNull());

  it("never leads away in a browser's reading of it", () => {
    for (const path of ["/@evil.example", "/;//evil", "/?//evil.example", "/#//evil.example", "/a//b"]) {
      const safe = safeReturnTo(path);
      if (safe !== null) expect(new URL(safe, "https://desk.example").origin).toBe("https://desk.example");
    }
  });
});

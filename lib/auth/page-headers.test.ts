import { expect, test } from "vitest";
import { contentSecurityPolicy, pageHeaders } from "./page-headers";

const policy = contentSecurityPolicy("bm9uY2U=", false);

test("a page runs no script without its nonce: none inline, none of eval, none by its address", () => {
  const scripts = policy.split("; ").find((each) => each.startsWith("script-src"));
  expect(scripts).toBe("script-src 'nonce-bm9uY2U=' 'strict-dynamic'");
  expect(policy).not.toMatch(/unsafe|\*|data:|blob:|http/);
});

test("whatever the policy does not name may not be loaded, and nobody may frame the desk or turn its addresses around", () => {
  for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"])
    expect(policy.split("; ")).toContain(rule);
});

test("browsers are told to keep to TLS where they come by TLS, and only there", () => {
  const name = "strict-transport-security";
  expect(pageHeaders({ policy, publicOrigin: "https://desk.example.com" })[name]).toMatch(/^max-age=\d{8}$/);
  for (const publicOrigin of [null, "http://127.0.0.1:3000"])
    expect(pageHeaders({ policy, publicOrigin })[name]).toBeUndefined();
});

test("no cache keeps a page", () => {
  expect(pageHeaders({ policy, publicOrigin: null })["cache-control"]).toBe("private, no-store");
});

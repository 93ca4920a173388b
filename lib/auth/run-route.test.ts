import { describe, expect, it } from "vitest";
import type { Role, Who } from "@/lib/auth/role";
import { type RouteContext, runRoute } from "@/lib/auth/run-route";

const as = (role: Role): Who => ({ userId: "u", username: role, displayName: role, role });
const context = (who: Who | null, overrides: Partial<RouteContext> = {}): RouteContext => ({
  requestId: "r-1",
  origin: "accepted",
  who: async () => who,
  log: () => {},
  ...overrides,
});
const get = new Request("http://localhost/api/letters");
const post = new Request("http://localhost/api/letters", { method: "POST" });

describe("a JSON route", () => {
  it.each([
    ["nobody", null, "viewer", get, 401],
    ["a viewer", as("viewer"), "viewer", get, 200],
    ["a viewer", as("viewer"), "operator", get, 403],
    ["an operator", as("operator"), "admin", get, 403],
    ["an admin", as("admin"), "operator", get, 200],
  ] as const)("answers %s", async (_name, who, role, request, status) => {
    const response = await runRoute(context(who), { role, request }, async () => ({ letters: 3 }));
    expect(response.status).toBe(status);
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    expect(await response.json()).toEqual(
      status === 200 ? { letters: 3 } : expect.objectContaining({ kind: expect.any(String) }),
    );
  });

  it.each(["origin_missing", "origin_foreign"] as const)("changes nothing for %s", async (origin) => {
    let ran = false;
    const response = await runRoute(context(as("admin"), { origin }), { role: "operator", request: post }, async () => {
      ran = true;
    });
    expect([response.status, ran]).toEqual([403, false]);
    expect(await response.json()).toEqual({ kind: "refused", code: origin });
  });

  it("passes a response of the body, which no cache keeps either", async () => {
    const own = async () => new Response("gone", { status: 404, headers: { "cache-control": "public" } });
    const response = await runRoute(context(as("viewer")), { role: "viewer", request: get }, own);
    expect([response.status, response.headers.get("cache-control")]).toEqual([404, "private, no-store"]);
  });

  it("answers 500 with a code when something breaks, and says no more", async () => {
    const lines: unknown[] = [];
    const broken = async () => Promise.reject(new Error("select secret from users"));
    const log = (line: unknown) => void lines.push(line);
    const response = await runRoute(context(as("viewer"), { log }), { role: "viewer", request: get }, broken);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("secret");
    expect(lines).toEqual([expect.objectContaining({ event: "route_failed", path: "/api/letters", requestId: "r-1" })]);
  });
});

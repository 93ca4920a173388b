import { describe, expect, it } from "vitest";
import type { Scope } from "@/lib/auth/api-tokens";
import type { Role, Who } from "@/lib/auth/role";
import { type RouteContext, type RouteSpec, runRoute } from "@/lib/auth/run-route";

const as = (role: Role): Who => ({
  userId: "u",
  username: role,
  displayName: role,
  role,
  reveal: role === "admin",
  queues: null,
});
const context = (who: Who | null, overrides: Partial<RouteContext> = {}): RouteContext => ({
  requestId: "r-1",
  origin: "accepted",
  address: "loopback",
  who: async () => who,
  log: () => {},
  ...overrides,
});
const get = new Request("http://localhost/api/letters");
const post = new Request("http://localhost/api/letters", { method: "POST" });
const VIEWED = { role: "viewer", request: get, scope: "read" } as const;

describe("a JSON route", () => {
  it.each([
    ["nobody", null, "viewer", get, 401],
    ["a viewer", as("viewer"), "viewer", get, 200],
    ["a viewer", as("viewer"), "operator", get, 403],
    ["an operator", as("operator"), "admin", get, 403],
    ["an admin", as("admin"), "operator", get, 200],
  ] as const)("answers %s", async (_name, who, role, request, status) => {
    const response = await runRoute(context(who), { role, request, scope: null }, async () => ({ letters: 3 }));
    expect(response.status).toBe(status);
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    expect(await response.json()).toEqual(
      status === 200 ? { letters: 3 } : expect.objectContaining({ kind: expect.any(String) }),
    );
  });

  it.each(["origin_missing", "origin_foreign", "site_foreign"] as const)("changes nothing for %s", async (origin) => {
    let ran = false;
    const spec = { role: "operator", request: post, scope: null } as const;
    const response = await runRoute(context(as("admin"), { origin }), spec, async () => {
      ran = true;
    });
    expect([response.status, ran]).toEqual([403, false]);
    expect(await response.json()).toEqual({ kind: "refused", code: origin });
  });

  it("passes a response of the body, which no cache keeps either", async () => {
    const own = async () => new Response("gone", { status: 404, headers: { "cache-control": "public" } });
    const response = await runRoute(context(as("viewer")), VIEWED, own);
    expect([response.status, response.headers.get("cache-control")]).toEqual([404, "private, no-store"]);
  });

  it("answers 500 with a code when something breaks, and says no more", async () => {
    const lines: unknown[] = [];
    const broken = async () => Promise.reject(new Error("select secret from users"));
    const log = (line: unknown) => void lines.push(line);
    const response = await runRoute(context(as("viewer"), { log }), VIEWED, broken);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("secret");
    expect(lines).toEqual([expect.objectContaining({ event: "route_failed", path: "/api/letters", requestId: "r-1" })]);
  });
});

describe("a JSON route that is asked with a token", () => {
  const bearer = (who: Who | null, scopes: Scope[], withCookie = false): Partial<RouteContext> => ({
    origin: "origin_missing",
    who: async () => {
      throw new Error("the cookie says nothing here");
    },
    bearer: { withCookie, find: async () => who && { who, scopes } },
  });
  const ask = async (given: Partial<RouteContext>, spec: RouteSpec) => {
    const response = await runRoute(context(null, given), spec, async () => "done");
    return [response.status, await response.json()];
  };
  const MARKED = { role: "operator", request: post, scope: "mark" } as const;
  const UNNAMED = { role: "operator", request: post, scope: null } as const;

  it("answers who has the scope, and needs no Origin", async () => {
    expect(await ask(bearer(as("viewer"), ["read"]), VIEWED)).toEqual([200, "done"]);
    expect(await ask(bearer(as("operator"), ["mark"]), MARKED)).toEqual([200, "done"]);
  });
  it("refuses another scope, and every token where the route names none", async () => {
    expect(await ask(bearer(as("admin"), ["mark"]), VIEWED)).toEqual([403, { kind: "forbidden", scope: "read" }]);
    expect(await ask(bearer(as("admin"), ["read"]), MARKED)).toEqual([403, { kind: "forbidden", scope: "mark" }]);
    expect(await ask(bearer(as("admin"), ["read", "mark"]), UNNAMED)).toEqual([
      403,
      { kind: "forbidden", scope: null },
    ]);
  });
  it("lets a token do no more than its user may", async () => {
    expect(await ask(bearer(as("viewer"), ["mark"]), MARKED)).toEqual([
      403,
      expect.objectContaining({ role: "viewer" }),
    ]);
  });
  it("refuses what is no token, and a token that comes with a cookie", async () => {
    expect(await ask(bearer(null, []), VIEWED)).toEqual([401, expect.objectContaining({ kind: "no_token" })]);
    const both = await ask(bearer(as("admin"), ["read"], true), VIEWED);
    expect(both).toEqual([400, { kind: "refused", code: "token_and_cookie" }]);
  });
});

it("a page of another site reads nothing, whoever looks at it", async () => {
  const given = context(as("admin"), { foreignRead: true });
  const response = await runRoute(given, VIEWED, async () => "done");
  expect([response.status, await response.json()]).toEqual([403, { kind: "refused", code: "site_foreign" }]);
});

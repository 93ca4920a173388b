import { describe, expect, test } from "vitest";
import { declare, declaredOf } from "@/lib/auth/declared";
import { PERMISSIONS } from "@/lib/auth/permissions";
import { filesOf, foundActions, foundRoutes, hiddenActionFiles } from "@/scripts/testing/declared";

// What the world can call is found by reading the sources, not by a list: what is added is judged, too.

const undeclared = (found: Awaited<ReturnType<typeof foundActions>>) =>
  found.filter(({ declared }) => declared === null).map(({ file, name }) => `${file}: ${name}`);

test("every export of every file of actions declares the role that it needs", async () => {
  const actions = await foundActions();
  expect(actions.length).toBeGreaterThan(15);
  expect(undeclared(actions)).toEqual([]);
  expect(actions.every(({ declared }) => declared?.kind === "action")).toBe(true);
});

test("no action hides within another file, where it would not be found", () => {
  expect(hiddenActionFiles()).toEqual([]);
});

test("every method of every route declares the role that it needs", async () => {
  const routes = await foundRoutes();
  expect(routes.length).toBeGreaterThan(8);
  expect(undeclared(routes)).toEqual([]);
  const open = routes.filter(({ declared }) => declared?.role === "anyone").map(({ file }) => file);
  expect(open).toEqual(["app/api/health/route.ts"]);
});

test("no other way into the server stands beside them", () => {
  expect(filesOf("app", /(^|\/)(default|template|middleware)\.tsx?$/)).toEqual([]);
  expect(filesOf("app", /(^|\/)pages\//)).toEqual([]);
});

test("who has not signed in can set up, sign in and sign out, and nothing else", async () => {
  const open = (await foundActions()).filter(({ declared }) => declared?.role === "anyone");
  expect(open.map(({ declared }) => declared?.name).sort()).toEqual(["set_up", "sign_in", "sign_out"]);
});

test("the page of permissions tells each action, with the role and the queues that it declares", async () => {
  const declared = (await foundActions()).flatMap(({ declared }) => (declared ? [declared] : []));
  const roles = Object.fromEntries(declared.map(({ name, role, everyQueue }) => [name, { role, everyQueue }]));
  const told = Object.fromEntries(
    Object.entries(PERMISSIONS).map(([name, { need, everyQueue }]) => [name, { role: need, everyQueue }]),
  );
  const { set_up: _1, sign_in: _2, sign_out: _3, ...signedIn } = roles;
  expect(told).toEqual(signedIn);
});

describe("declaring", () => {
  const body = async () => {};
  test.each([undefined, "", "owner", "Admin"])("with the role %j throws, so that its file does not load", (role) => {
    expect(() => declare({ kind: "action", name: "drop_all", role: role as "admin" }, body)).toThrow(
      "The action drop_all names no role, so it is not registered.",
    );
    expect(declaredOf(body)).toBeNull();
  });
  test("is what the function itself says of it afterwards", () => {
    expect(declaredOf(declare({ kind: "route", name: "r", role: "viewer" }, async () => {}))).toEqual({
      kind: "route",
      name: "r",
      role: "viewer",
    });
  });
});

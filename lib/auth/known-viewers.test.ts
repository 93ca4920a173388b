import { expect, it } from "vitest";
import { createKnownViewers } from "@/lib/auth/known-viewers";
import type { Who } from "@/lib/auth/role";

const MAYA: Who = {
  userId: "u",
  username: "maya",
  displayName: "Maya",
  role: "viewer",
  reveal: false,
  queues: ["persistence-retry"],
};

it("knows whom it has recognised, for a while, and nobody who was refused", () => {
  let at = 0;
  const viewers = createKnownViewers(() => at);
  expect(viewers.find("a")).toBeNull();
  viewers.remember("a", MAYA);
  at = 59_000;
  expect(viewers.find("a")).toBe(MAYA);
  at = 60_000;
  expect(viewers.find("a")).toBeNull();
  viewers.remember("a", MAYA);
  viewers.forget("a");
  expect(viewers.find("a")).toBeNull();
});

it("keeps the latest five hundred", () => {
  const viewers = createKnownViewers(() => 0);
  for (let index = 0; index < 501; index += 1) viewers.remember(`token ${index}`, MAYA);
  expect(["token 0", "token 1", "token 500"].map(viewers.find)).toEqual([null, MAYA, MAYA]);
});

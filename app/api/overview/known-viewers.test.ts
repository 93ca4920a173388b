import { expect, it } from "vitest";
import { createKnownViewers } from "./known-viewers";

it("knows whom it has recognised, for a while, and nobody who was refused", () => {
  let at = 0;
  const viewers = createKnownViewers(() => at);
  expect(viewers.knows("a")).toBe(false);
  viewers.remember("a");
  at = 59_000;
  expect(viewers.knows("a")).toBe(true);
  at = 60_000;
  expect(viewers.knows("a")).toBe(false);
  viewers.remember("a");
  viewers.forget("a");
  expect(viewers.knows("a")).toBe(false);
});

it("keeps the latest five hundred", () => {
  const viewers = createKnownViewers(() => 0);
  for (let index = 0; index < 501; index += 1) viewers.remember(`token ${index}`);
  expect([viewers.knows("token 0"), viewers.knows("token 1"), viewers.knows("token 500")]).toEqual([false, true, true]);
});

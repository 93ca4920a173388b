import { expect, it } from "vitest";
import { readListsQuery } from "./lists-query";

it("an address names a list and a place in it; without them it is what waits longest", () => {
  expect(readListsQuery({})).toMatchObject({ list: "pending", at: null, runtime: null, notes: [] });
  const asked = readListsQuery({ queue: "session-lifecycle", list: "processing", runtime: "host-1", at: "200" });
  expect(asked).toMatchObject({ list: "processing", runtime: "host-1", at: 200, notes: [] });
  expect(asked.query).toEqual({ queue: "session-lifecycle", list: "processing", runtime: "host-1", at: "200" });
});

it("what it cannot use is left out and said", () => {
  const asked = readListsQuery({ list: "dead", at: "-1", runtime: "a" });
  expect(asked).toMatchObject({ list: "pending", at: null, runtime: null });
  expect(asked.notes).toHaveLength(2);
});

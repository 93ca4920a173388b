import { expect, it } from "vitest";
import { queryString } from "@/components/ui/query";
import { encodeCursor } from "@/lib/queues/cursor";
import { readJobsQuery } from "./jobs-query";

const CHARACTER = "0193a7f2-0000-7000-8000-0000000d6d80";

it("an address becomes a filter, and the same address again", () => {
  const after = encodeCursor("2026-11-14 03:41:07.123456+00", CHARACTER);
  const asked = readJobsQuery({
    queue: "persistence-retry",
    state: "due,expired",
    kind: "combat_rewards",
    owner: "persist-6d9c-k2x7f",
    attempts: "3",
    subject: CHARACTER,
    impact: "SessionDegraded",
    after,
  });
  expect(asked.filter).toEqual({
    states: ["due", "expired"],
    kind: "combat_rewards",
    owner: "persist-6d9c-k2x7f",
    subject: CHARACTER,
    attemptsMin: 3,
    impact: "SessionDegraded",
  });
  expect(asked.notes).toEqual([]);
  expect(queryString(asked.query)).toBe(
    `?queue=persistence-retry&state=due,expired&kind=combat_rewards&owner=persist-6d9c-k2x7f&attempts=3&subject=${CHARACTER}&impact=SessionDegraded&after=${after}`,
  );
});

it("an empty address filters nothing", () => {
  const asked = readJobsQuery({});
  expect(Object.values(asked.filter).filter(Boolean)).toEqual([]);
  expect(queryString(asked.query)).toBe("");
});

it("what cannot be used is left out of the filter and of the address, with a sentence each", () => {
  const asked = readJobsQuery({
    state: ["frozen", "due"],
    subject: "Brannoch",
    attempts: "-1",
    impact: "None; drop table",
    after: "bm90IGEgY3Vyc29y",
    kind: "x".repeat(10_000),
    owner: "a\u0000",
  });
  expect(Object.values(asked.filter).filter(Boolean)).toEqual([]);
  expect(queryString(asked.query)).toBe("");
  expect(asked.notes).toHaveLength(8);
});

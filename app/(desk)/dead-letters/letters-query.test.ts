import { describe, expect, it } from "vitest";
import { queryString } from "@/components/ui/query";
import { readLettersQuery } from "./letters-query";

describe("the states of the list", () => {
  const statesOf = (params: Record<string, string>) => readLettersQuery(params).filter.states;
  it("are the active ones by default", () => expect(statesOf({})).toEqual(["active"]));
  it("are those that were chosen", () =>
    expect(statesOf({ state: "died_again,recovered" })).toEqual(["recovered", "died_again"]));
  it("are all of them when asked for, whatever else is named", () => {
    expect(statesOf({ state: "all" })).toBeUndefined();
    expect(statesOf({ state: "recovered,all" })).toBeUndefined();
  });
  it("are all of them for a search that names none", () => {
    expect(statesOf({ q: "zone_id 418" })).toBeUndefined();
    expect(statesOf({ q: "zone_id 418", state: "active" })).toEqual(["active"]);
  });
  it("are the active ones when only unknown ones were named", () =>
    expect(statesOf({ state: "lost" })).toEqual(["active"]));
});

it("the address is written back without what could not be used", () => {
  const asked = readLettersQuery({ state: "recovered,lost", realm: "eu-1", subject: "me", q: "ke\u0000y", after: "x" });
  expect(queryString(asked.query)).toBe("?state=recovered&realm=eu-1");
  expect(asked.notes).toHaveLength(4);
});

it("a search keeps its characters", () => {
  const text = `zone_id=(418) is not "present" & 100%`;
  const asked = readLettersQuery({ q: text });
  const url = new URL(`http://desk/dead-letters${queryString(asked.query)}`);
  expect(readLettersQuery({ q: url.searchParams.get("q") ?? "" }).filter.text).toBe(text);
});

import { describe, expect, it } from "vitest";
import { queryString } from "@/components/ui/query";
import { archiveFilter, readReviewQuery, spanOf } from "./review-query";

const NOW = Date.UTC(2026, 10, 14, 4);
const HASH = "ab".repeat(32);

describe("the states of the letters", () => {
  const statesOf = (params: Record<string, string>) => readReviewQuery(params).filter.states;
  it("are the open ones by default", () => expect(statesOf({})).toEqual(["open"]));
  it("are those that were chosen", () =>
    expect(statesOf({ state: "died_again,recovered" })).toEqual(["recovered", "died_again"]));
  it("are open and resolved where the store's own word is used", () => {
    expect(statesOf({ state: "dead" })).toEqual(["open", "resolved"]);
    expect(statesOf({ state: "active" })).toEqual(["open", "resolved"]);
  });
  it("are all of them when asked for, whatever else is named", () =>
    expect(statesOf({ state: "recovered,all" })).toBeUndefined());
  it("are all of them for a search that names none", () => {
    expect(statesOf({ q: "zone_id 418" })).toBeUndefined();
    expect(statesOf({ token: HASH })).toBeUndefined();
    expect(statesOf({ q: "zone_id 418", state: "open" })).toEqual(["open"]);
  });
  it("are the open ones when only unknown ones were named", () =>
    expect(statesOf({ state: "lost" })).toEqual(["open"]));
});

it("the view is by error, and one by one for who searches or turns pages, unless it is named", () => {
  expect(readReviewQuery({}).view).toBe("error");
  expect(readReviewQuery({ kind: "combat_rewards" }).view).toBe("error");
  for (const params of [{ q: "x" }, { subject: "5520183" }, { token: HASH }, { view: "list" }]) {
    expect(readReviewQuery(params).view).toBe("list");
  }
  expect(readReviewQuery({ q: "x", view: "error" }).view).toBe("error");
});

it("the address is written back without what could not be used", () => {
  const params = {
    state: "recovered,lost",
    died: "soon",
    group: "x",
    q: "ke\u0000y",
    after: "x",
    token: "tok",
    realm: "a",
  };
  const asked = readReviewQuery(params);
  expect(queryString(asked.query)).toBe("?state=recovered&realm=a");
  expect(asked.notes).toHaveLength(6);
});

describe("the time of death", () => {
  const rangeOf = (died: string) => {
    const { fromMs, toMs } = archiveFilter(readReviewQuery({ died }).filter, NOW, { queues: null });
    return [fromMs, toMs];
  };
  it("is so long before the database's clock", () => expect(rangeOf("3h")).toEqual([NOW - 10_800_000, undefined]));
  it("is a stretch between two instants, in UTC", () =>
    expect(rangeOf("2026-11-14T02:58Z..2026-11-14T03:41:00Z")).toEqual([
      Date.UTC(2026, 10, 14, 2, 58),
      Date.UTC(2026, 10, 14, 3, 41),
    ]));
  it.each(["", "0h", "3", "2026-11-14..2026-11-14", "b..a", "2026-13-01..2026-13-02", "1..2..3", "99999999999d"])(
    "is none in %j",
    (died) => expect(rangeOf(died)).toEqual([undefined, undefined]),
  );
  it("survives its own address", () => {
    const { query } = readReviewQuery({ died: "2026-11-14T02:58:00.250Z..2026-11-14T03:41Z" });
    expect(query.died).toBe("2026-11-14T02:58:00.250Z..2026-11-14T03:41:00Z");
    expect(readReviewQuery({ died: query.died }).query).toEqual(query);
  });
});

describe("what the histogram shows", () => {
  const spanFor = (params: Record<string, string>) => spanOf(readReviewQuery(params), NOW);
  it("is the last day", () => expect(spanFor({})).toEqual({ fromMs: NOW - 86_400_000, toMs: NOW }));
  it("is the time that was asked for", () =>
    expect(spanFor({ died: "1h" })).toEqual({ fromMs: NOW - 3_600_000, toMs: NOW }));
  it("stays where it was while a brush moves in it", () => {
    const span = "2026-11-14T00:00:00Z..2026-11-14T04:00:00Z";
    const shown = spanFor({ died: "2026-11-14T02:58Z..2026-11-14T03:41Z", span });
    expect(shown).toMatchObject({ fromMs: Date.UTC(2026, 10, 14), toMs: NOW });
  });
  it("is what lies around the time asked for where that is not in it", () => {
    const died = "2026-11-12T02:00Z..2026-11-12T03:00Z";
    expect(spanFor({ died, span: "2026-11-14T00:00:00Z..2026-11-14T04:00:00Z" })).toEqual({
      fromMs: Date.UTC(2026, 10, 12, 1),
      toMs: Date.UTC(2026, 10, 12, 4),
    });
  });
});

import { describe, expect, it } from "vitest";
import {
  beyond,
  coarseDuration,
  duration,
  elapsed,
  isoUtc,
  localClock,
  proseDuration,
  relative,
  timeTip,
  utcClock,
  utcFull,
  utcMinute,
  utcSpan,
  utcStamp,
} from "./time";

const at = Date.UTC(2026, 10, 14, 3, 41, 7, 412);

describe("duration", () => {
  it.each([
    [0, "0s"],
    [-5_000, "0s"],
    [999, "0s"],
    [42_999, "42s"],
    [60_000, "1m 00s"],
    [588_000, "9m 48s"],
    [7_500_000, "2h 05m"],
    [86_400_000, "1d 00h"],
    [3 * 86_400_000 + 4 * 3_600_000, "3d 04h"],
    [120 * 86_400_000, "120d"],
    [8.64e15, "forever"],
    [Number.POSITIVE_INFINITY, "forever"],
    [Number.NaN, "forever"],
  ])("writes %d ms as %s", (ms, text) => expect(duration(ms)).toBe(text));

  it("keeps the first unit alone where space is short", () => {
    expect([42_000, 588_000, 7_500_000].map(coarseDuration)).toEqual(["42s", "9m", "2h"]);
  });
  it("keeps what a second hides in a measured length", () => {
    expect([8.6, 999.9, 2_140, 9_960, 61_000].map(elapsed)).toEqual(["9 ms", "1.0s", "2.1s", "9s", "1m 01s"]);
  });
  it("spells units out in a sentence", () => {
    expect([42_000, 300_000, 245_000].map(proseDuration)).toEqual(["42 s", "5 min", "4m 05s"]);
  });
});

describe("relative", () => {
  it.each([
    [at - 245_000, false, "4m ago"],
    [at - 147_000, true, "2m 27s ago"],
    [at + 12_000, false, "in 12s"],
    [at + 11_400, false, "in 12s"],
    [at + 400, false, "in 1s"],
    [at, false, "now"],
    [at - 999, false, "now"],
    [8.64e15, false, "never"],
    [-8.64e15, false, "always"],
    [Number.POSITIVE_INFINITY, true, "never"],
    [Number.NEGATIVE_INFINITY, true, "always"],
  ])("says how far %d is", (ms, exact, text) => expect(relative(ms, at, exact)).toBe(text));
});

describe("instants", () => {
  it("are written in UTC, whatever the machine's zone", () => {
    expect([utcClock(at), utcMinute(at), utcFull(at)]).toEqual(["03:41:07", "03:41", "2026-11-14 03:41:07 UTC"]);
    expect(isoUtc(at)).toBe("2026-11-14T03:41:07.412Z");
  });
  it("carry their date on another day", () => {
    expect(utcStamp(at, at + 60_000)).toBe("03:41:07");
    expect(utcStamp(at, at + 86_400_000)).toBe("2026-11-14 03:41");
  });
  it("of a stretch carry their dates where a day ends in it", () => {
    expect(utcSpan(at - 3_600_000, at)).toBe("02:41 to 03:41 UTC");
    expect(utcSpan(at - 7 * 86_400_000, at)).toBe("2026-11-07 03:41 to 2026-11-14 03:41 UTC");
  });
  it("that no calendar holds are never or always, not a crash", () => {
    for (const ms of [8.64e15, Number.POSITIVE_INFINITY, Number.NaN, Date.UTC(10_000, 0)]) {
      expect([beyond(ms), isoUtc(ms), utcFull(ms), utcStamp(ms, at)]).toEqual(["never", null, "never", "never"]);
    }
    for (const ms of [-8.64e15, Number.NEGATIVE_INFINITY, -62_135_596_800_001]) {
      expect([beyond(ms), isoUtc(ms), utcClock(ms)]).toEqual(["always", null, "always"]);
    }
    expect(beyond(-62_135_596_800_000)).toBeNull();
  });
});

describe("the tooltip of an instant", () => {
  it("gives UTC, the reader's clock and the age on the database clock", () => {
    expect(localClock(at, "Europe/Berlin")).toBe("04:41:07 Europe/Berlin (UTC+1)");
    expect(timeTip(at, at + 147_000, "Europe/Berlin").split("\n")).toEqual([
      "2026-11-14 03:41:07 UTC",
      "04:41:07 Europe/Berlin (UTC+1)",
      "2m 27s ago on the database clock",
    ]);
  });
  it("says infinity where there is no instant", () => {
    expect(timeTip(8.64e15, at, "UTC")).toBe("No end: the store holds infinity");
  });
});

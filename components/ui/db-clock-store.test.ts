import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createClockStore } from "./db-clock-store";

const at = Date.UTC(2026, 10, 14, 3, 41, 7);
const reading = (atMs: number) => ({ atMs, receivedAtPerf: performance.now() });

describe("the database clock between two readings", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("runs by the stopwatch, whatever the browser's own clock says", () => {
    const clock = createClockStore(reading(at));
    vi.setSystemTime(0);
    vi.advanceTimersByTime(2_500);
    expect(clock.now()).toBe(at + 2_500);
  });

  it("stands still once the database does not answer, and says how old it is", () => {
    const clock = createClockStore(reading(at));
    vi.advanceTimersByTime(42_000);
    clock.fail();
    expect([clock.mode(), clock.now(), clock.ageMs()]).toEqual(["stale", at, 42_000]);
    clock.report(reading(at + 50_000));
    expect([clock.mode(), clock.now()]).toEqual(["live", at + 50_000]);
  });

  it("stands still while paused, also when readings arrive, and catches up afterwards", () => {
    const clock = createClockStore(reading(at));
    vi.advanceTimersByTime(1_000);
    clock.pause(true);
    vi.advanceTimersByTime(9_000);
    clock.report(reading(at + 10_100));
    expect([clock.mode(), clock.now()]).toEqual(["paused", at + 1_000]);
    clock.pause(false);
    expect(clock.now()).toBe(at + 10_100);
  });

  it("ignores a reading that was overtaken by a later one", () => {
    const clock = createClockStore(reading(at));
    const slow = reading(at);
    vi.advanceTimersByTime(3_000);
    clock.report(reading(at + 3_200));
    clock.report(slow);
    expect(clock.now()).toBe(at + 3_200);
  });

  it("tells once a second, when the database's second turns", () => {
    const clock = createClockStore(reading(at + 400));
    const heard: (number | null)[] = [];
    const stop = clock.subscribe(() => heard.push(clock.now()));
    vi.advanceTimersByTime(2_700);
    stop();
    vi.advanceTimersByTime(5_000);
    expect(heard.map((ms) => Math.floor((ms ?? 0) / 1_000))).toEqual([0, 1, 2, 3].map((each) => at / 1_000 + each));
  });

  it("has nothing to say before the first reading", () => {
    const clock = createClockStore(null);
    clock.fail();
    clock.pause(true);
    expect([clock.mode(), clock.now()]).toEqual(["unread", null]);
  });
});

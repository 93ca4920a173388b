import { expect, test } from "vitest";
import { WakeSignal } from "./wake-signal";

test("it is bounded, keeps one place an id, and gives the oldest first", () => {
  const signal = new WakeSignal(2);
  expect([signal.offer("a"), signal.offer("b"), signal.offer("a"), signal.offer("c")]).toEqual([
    "signaled",
    "signaled",
    "signaled",
    "queue_full",
  ]);
  expect(signal.drain(1)).toEqual(["a"]);
  expect(signal.offer("c")).toBe("signaled");
  expect(signal.drain(10)).toEqual(["b", "c"]);
});

test("who waits is woken by an offer, by the close, and by the time", async () => {
  const signal = new WakeSignal(2);
  const woken = signal.wait(60_000);
  signal.offer("a");
  await woken;
  signal.drain(1);
  await signal.wait(1);
  const closing = signal.wait(60_000);
  signal.close();
  await closing;
  await signal.wait(60_000);
  expect(signal.offer("b")).toBe("queue_closed");
});

test("an offer made before the wait is not slept over", async () => {
  const signal = new WakeSignal(2);
  signal.offer("a");
  await signal.wait(60_000);
  expect(signal.drain(1)).toEqual(["a"]);
});

test("closed, it refuses every offer and waits for nothing; opened again, it takes them", async () => {
  const signal = new WakeSignal(2);
  signal.close();
  expect(signal.offer("a")).toBe("queue_closed");
  await signal.wait(60_000);
  signal.open();
  expect([signal.offer("a"), signal.drain(2)]).toEqual(["signaled", ["a"]]);
});

import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Reading } from "@/lib/domain/queue";
import { forgetReading, sharedReading } from "./shared-reading";

const good = (value: number): Reading<number> => ({ kind: "read", value });
const FAILED: Reading<number> = { kind: "failed", code: "57014", sentence: "It took too long." };
const bounds = { freshMs: 40, patienceMs: 60, who: "Postgres" };

it("fifty tabs cost what one does", async () => {
  let reads = 0;
  const read = async () => {
    reads += 1;
    await sleep(10);
    return good(reads);
  };
  const asked = await Promise.all(Array.from({ length: 50 }, () => sharedReading("fifty", { ...bounds, read })));
  expect(new Set(asked.map(({ reading }) => JSON.stringify(reading)))).toEqual(new Set([JSON.stringify(good(1))]));
  await sharedReading("fifty", { ...bounds, read });
  expect(reads).toBe(1);
  await sleep(50);
  await sharedReading("fifty", { ...bounds, read });
  expect(reads).toBe(2);
});

it("a source that hangs is asked once, and everybody learns that it is silent", async () => {
  let reads = 0;
  let answer: (reading: Reading<number>) => void = () => {};
  const read = () => {
    reads += 1;
    return new Promise<Reading<number>>((resolve) => {
      answer = resolve;
    });
  };
  const silent = { kind: "failed", code: "no_answer", sentence: "Postgres has not answered for 0.1 s." };
  expect((await sharedReading("hangs", { ...bounds, read })).reading).toEqual(silent);
  const begun = performance.now();
  expect((await sharedReading("hangs", { ...bounds, read })).reading).toEqual(silent);
  expect(performance.now() - begun).toBeLessThan(40);
  expect(reads).toBe(1);
  answer(good(7));
  expect((await sharedReading("hangs", { ...bounds, read })).reading).toEqual(good(7));
  expect(reads).toBe(1);
});

it("a reading that fails comes with the last good one and its age", async () => {
  const endings = [good(3), FAILED];
  const read = async () => endings.shift() ?? FAILED;
  expect(await sharedReading("fails", { ...bounds, read })).toEqual({ reading: good(3), ageMs: 0, last: null });
  await sleep(50);
  const { reading, last } = await sharedReading("fails", { ...bounds, read });
  expect(reading).toEqual(FAILED);
  expect(last?.value).toBe(3);
  expect(last?.ageMs).toBeGreaterThanOrEqual(45);
});

it("a read that throws is a failed reading, and the next one is tried", async () => {
  const read = async (): Promise<Reading<number>> => {
    throw new Error("a bug");
  };
  expect((await sharedReading("throws", { ...bounds, read })).reading).toMatchObject({
    kind: "failed",
    code: "internal",
  });
  forgetReading("throws");
  expect((await sharedReading("throws", { ...bounds, read: async () => good(1) })).reading).toEqual(good(1));
});

it("a slow source is asked less, and says how old its reading is", async () => {
  let reads = 0;
  const read = async () => {
    reads += 1;
    await sleep(25);
    return good(reads);
  };
  await sharedReading("slow", { ...bounds, read });
  await sleep(60);
  const { reading, ageMs } = await sharedReading("slow", { ...bounds, read });
  expect(reading).toEqual(good(1));
  expect(ageMs).toBeGreaterThanOrEqual(55);
  // However long the reading really took here: its rest is a small multiple of it.
  await sleep(600);
  expect((await sharedReading("slow", { ...bounds, read })).reading).toEqual(good(2));
});

it("what was on its way before a change is not taken for what is so after it", async () => {
  const answers: ((reading: Reading<number>) => void)[] = [];
  const read = () => new Promise<Reading<number>>((resolve) => answers.push(resolve));
  const before = sharedReading("changed", { ...bounds, patienceMs: 1_000, read });
  forgetReading("changed");
  const after = sharedReading("changed", { ...bounds, patienceMs: 1_000, read });
  answers[1]?.(good(2));
  answers[0]?.(good(1));
  expect((await after).reading).toEqual(good(2));
  expect((await before).reading).toEqual(good(1));
  expect((await sharedReading("changed", { ...bounds, read })).reading).toEqual(good(2));
});

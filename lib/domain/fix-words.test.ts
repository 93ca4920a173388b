import { expect, test } from "vitest";
import { fixSentence } from "./fix-words";

const HOUR = 3_600_000;

test("what died before and after a fix is told as counts and as rates over the same length of time", () => {
  expect(fixSentence({ stretchMs: 2 * HOUR, before: 1_240, after: 1 })).toBe(
    "1,240 letters died in the 2h 00m before it (620 an hour), 1 letter in the 2h 00m since (0.5 an hour).",
  );
  expect(fixSentence({ stretchMs: 24 * HOUR, before: 0, after: 48 })).toBe(
    "0 letters died in the 1d 00h before it (0 an hour), 48 letters in the 1d 00h after it (2 an hour).",
  );
});

test("of too short a time nothing is told", () =>
  expect(fixSentence({ stretchMs: 20_000, before: 3, after: 0 })).toBe("20 s is too short a time to tell."));

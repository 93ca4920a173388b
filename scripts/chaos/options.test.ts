import { expect, test } from "vitest";
import { parseOptions } from "./options";

test("without arguments it reaches the counts that are reported; a seed is drawn", () => {
  expect(parseOptions([])).toMatchObject({ engineKills: 100, postgresKills: 100, modelRuns: 1_000, minutes: null });
  expect(parseOptions([])).toMatchObject({ parts: ["engine", "keeper", "journal"], keeperKills: 100 });
  expect(parseOptions([])).toMatchObject({ journalKills: 100, redisKills: 100 });
});

test("each count can be given; what is no count is refused with the usage", () => {
  expect(parseOptions(["--engine-kills", "3", "--seed", "7", "--minutes", "2"])).toMatchObject({
    engineKills: 3,
    seed: 7,
    minutes: 2,
  });
  expect(() => parseOptions(["--engine-kills", "many"])).toThrow(/--engine-kills is a whole number.*\nnpm run chaos/);
  expect(() => parseOptions(["--kills", "3"])).toThrow(/--kills/);
});

test("one part runs by itself where it is named; what is no part is refused with the usage", () => {
  expect(parseOptions(["keeper", "--keeper-kills", "7"])).toMatchObject({ parts: ["keeper"], keeperKills: 7 });
  expect(() => parseOptions(["keepers"])).toThrow(/no part "keepers".*\nnpm run chaos/);
});

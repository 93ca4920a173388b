import fc from "fast-check";
import { expect, test } from "vitest";
import { errorTitle, titleParts } from "./error-title";
import { normalisedError } from "./fingerprint";

test.each([
  [
    'ERROR 23503: insert or update on table "reward_ledger" violates foreign key constraint "reward_ledger_zone_id_fkey"\nDETAIL: Key (zone_id)=(harbour) is not present in table "zone_catalog".',
    'ERROR 23503: insert or update on table "reward_ledger" violates foreign key constraint "reward_ledger_zone_id_fkey" DETAIL: Key (zone_id)=‹value› is not present in table "zone_catalog".',
  ],
  ["canceling statement due to statement timeout (5000 ms)", "canceling statement due to statement timeout (‹n› ms)"],
  ["connect ECONNREFUSED 10.0.3.7:5432", "connect ECONNREFUSED ‹host›"],
  ["connect ECONNREFUSED ::1:5432", "connect ECONNREFUSED ‹host›"],
  ["no row 9b2f7a10-5cde-4f10-8a77-0123456789ab at 2026-11-14T03:29:08Z", "no row ‹uuid› at ‹time›"],
  ["READONLY script: 5f4dcc3b5aa765d6, on @user_script:17", "READONLY script: ‹hex›, on @user_script:‹n›"],
  ["ENOENT: no such file, open '/var/lib/zone_8f3a.json'", "ENOENT: no such file, open ‹path›"],
  ["ENOENT: /var/lib/shard-12/zone_8f3a.json", "ENOENT: /var/lib/shard-‹n›/zone_‹id›.json"],
  ["GET https://a.internal/x?t=1 timed out", "GET ‹url› timed out"],
  ["conflict with 1, 2, 3", "conflict with ‹n›"],
  ["", "(no text)"],
  ["语言错误 418", "语言错误 ‹n›"],
])("what differs in %j is marked by what it is", (error, title) => expect(errorTitle(error)).toBe(title));

test("a title is the fingerprint's text with the marks named: both come from one set of rules", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary" }).map((text) => text.replace(/[\ue000-\uf8ff‹›]/g, "")),
    fc.uuid(),
    fc.ipV4(),
    fc.constantFrom(
      'table "t1"',
      "ERROR 23503",
      "=(x)",
      '"',
      "'",
      "(",
      "#",
      "1, 2",
      "::1",
      "03:04:05",
      "\n    at f (x:1:2)",
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const error = pieces.join(" ").slice(0, 200);
      const named = errorTitle(error);
      if (named.endsWith("…") || named === "(no text)") return true;
      return named.replace(/‹[a-z]+›/g, "#") === normalisedError(error);
    }),
    { numRuns: 500 },
  );
});

test("of a stack the first three frames count, without their lines", () => {
  const frame = (name: string, line: number) => `    at ${name} (/srv/game/zone.js:${line}:7)`;
  const stack = (deep: string, line: number) =>
    ["TypeError: no such zone", frame("grant", line), frame("settle", 8), frame("poll", 9), frame(deep, 10)].join("\n");
  expect(errorTitle(stack("timer", 4))).toBe(errorTitle(stack("signal", 5)));
  expect(errorTitle(stack("timer", 4))).toContain("at grant (/srv/game/zone.js:‹n›");
  expect(errorTitle(stack("timer", 4))).not.toBe(errorTitle(stack("timer", 4).replace("grant", "revoke")));
});

test("a title comes apart into its words and its placeholders, and a text that only looks like one stays text", () => {
  expect(titleParts("zone ‹n› of ‹value›‹n› ‹Not one›")).toEqual([
    { text: "zone ", placeholder: false },
    { text: "n", placeholder: true },
    { text: " of ", placeholder: false },
    { text: "value", placeholder: true },
    { text: "n", placeholder: true },
    { text: " ‹Not one›", placeholder: false },
  ]);
});

test.each([
  ["quotes", "\"'`"],
  ["digits", "1"],
  ["frames", "\n at a"],
  ["blanks and frames", `\n${" ".repeat(15)}at `],
  ["blanks", " "],
  ["marks", "\ue000"],
  ["marks and commas", "\ue000,"],
  ["opened quotes", "‹"],
  ["hex", "deadbeef-"],
  ["equals", "=("],
])("the title of 1 MB of %s takes no time and stays short", (_what, unit) => {
  const hostile = unit.repeat(1_000_000 / unit.length);
  const took = [1, 2, 3].map(() => {
    const startedMs = performance.now();
    expect(titleParts(errorTitle(hostile)).length).toBeLessThan(500);
    return performance.now() - startedMs;
  });
  // The quickest of three: the others tell how busy the machine is.
  expect(Math.min(...took)).toBeLessThan(200);
});

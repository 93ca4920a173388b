import fc from "fast-check";
import { expect, test } from "vitest";
import { fingerprint, normalisedError } from "./fingerprint";

const zodIssue = (path: string, received = "string") =>
  `[ { "expected": "number", "code": "invalid_type", "path": [ ${path} ], "message": "Invalid input: expected number, received ${received}" } ]`;

const constraint = (zone: string) =>
  `ERROR 23503: insert or update on table "reward_ledger" violates foreign key constraint "reward_ledger_zone_id_fkey"\nDETAIL: Key (zone_id)=(${zone}) is not present in table "zone_catalog".`;

test("SQLSTATE, table, constraint and column stay; the value goes", () => {
  expect(normalisedError(constraint("harbour"))).toBe(
    'ERROR 23503: insert or update on table "reward_ledger" violates foreign key constraint "reward_ledger_zone_id_fkey" DETAIL: Key (zone_id)=# is not present in table "zone_catalog".',
  );
});

test.each([
  ["ids", "no row 4711 for 9b2f7a10-5cde-4f10-8a77-0123456789ab", "no row 12 for 00000000-0000-4000-8000-000000000000"],
  ["times", "late since 2026-11-14 03:29:08.412+00 (03:29:08)", "late since 2025-01-02T03:04:05Z (23:59:59)"],
  ["addresses", "connect ECONNREFUSED 10.0.3.7:5432", "connect ECONNREFUSED 192.168.12.250:6432"],
  ["IPv6 addresses", "connect ECONNREFUSED [::1]:5432", "connect ECONNREFUSED [fe80::1ff:fe23:4567:890a]:5432"],
  ["hex", "bad page at 0xdeadbeef, hash 5f4dcc3b5aa765d6", "bad page at 0x1f, hash 098f6bcd4621d373"],
  ["quoted values", 'invalid input syntax for type integer: "abc"', 'invalid input syntax for type integer: "x y"'],
  ["paths", "ENOENT: /var/lib/game/shard-12/zone_8f3a.json", "ENOENT: /var/lib/game/shard-7/zone_99.json"],
  ["URLs", "GET https://a.internal/x?t=1 timed out", "GET http://b.internal:81/y/z timed out"],
  [
    "what stands in the failing row",
    'violates check constraint "c" DETAIL: Failing row contains (7, Brenna (II), null).',
    'violates check constraint "c" DETAIL: Failing row contains (12, Aldric, 2026-01-01, a name that is cut off',
  ],
  ["a value with an apostrophe", "ERR no key 'Aldric' of 'x'", "ERR no key 'O'Hara' of 'y'"],
  [
    "the excerpt of a broken JSON",
    `Unexpected token 'm', "{"gold": 7, "zone": mire}" is not valid JSON`,
    `Unexpected token 'x', ..."old": 90, "x": x9}" is not valid JSON`,
  ],
  ["a value without quotes", "Cannot convert mire to a BigInt", "Cannot convert old keep to a BigInt"],
  [
    "a pattern",
    "Invalid regular expression: /(mire/: Unterminated group",
    "Invalid regular expression: /(a b/u: Unterminated group",
  ],
  ["a socket's path", "connect ENOENT /run/mire.sock", "connect ENOENT /tmp/harbour.sock"],
  ["a host's name", "getaddrinfo ENOTFOUND mire.invalid", "getaddrinfo ENOTFOUND harbour.invalid"],
  ["the place in a list", zodIssue('"items", 3, "count"'), zodIssue('"items", 14, "count"')],
  ["the length of a list", "conflict with 1, 2, 3", "conflict with 4, 5"],
])("two errors that differ in %s alone are one", (_what, one, other) => {
  expect(fingerprint(one)).toBe(fingerprint(other));
});

test.each([
  ["SQLSTATE", "ERROR 40001: could not serialize", "ERROR 40P01: could not serialize"],
  ["HTTP status", "status code 503 from the catalog", "status code 404 from the catalog"],
  ["constraint", 'violates check constraint "gold_not_negative"', 'violates check constraint "level_max_60"'],
  ["column", 'null value in column "zone_id"', 'null value in column "realm_id"'],
  ["command", "wrong number of arguments for 'hset' command", "wrong number of arguments for 'lpush' command"],
  ["unknown command", "ERR unknown command 'jsonset', with args", "ERR unknown command 'topkadd', with args"],
  ["property", "of undefined (reading 'gold')", "of undefined (reading 'zone')"],
  ["argument", 'The value of "offset" is out of range.', 'The value of "value" is out of range.'],
  ["field", zodIssue('"amount"'), zodIssue('"items", 3, "count"')],
  ["type of what came", zodIssue('"amount"'), zodIssue('"amount"', "undefined")],
  ["function", "function grant_reward(uuid) does not exist", "function grant_item(uuid) does not exist"],
])("two errors that differ in their %s are two", (_what, one, other) => {
  expect(fingerprint(one)).not.toBe(fingerprint(other));
});

const id = fc.oneof(fc.uuid(), fc.nat().map(String), fc.ipV4(), fc.stringMatching(/^[0-9a-f]{16}$/));

test("whatever the ids, the same error has the same fingerprint", () => {
  const text = (a: string, b: string) =>
    `ERROR 23505: duplicate key value violates unique constraint "x_pkey"\nDETAIL: Key (id)=(${a}) already exists, in ${b}.`;
  fc.assert(fc.property(id, id, id, id, (a, b, c, d) => fingerprint(text(a, b)) === fingerprint(text(c, d))));
});

test("two SQLSTATEs are never one", () => {
  const state = fc.stringMatching(/^[0-9][0-9A-Z]{4}$/);
  fc.assert(
    fc.property(state, state, (a, b) => a === b || fingerprint(`ERROR ${a}: no`) !== fingerprint(`ERROR ${b}: no`)),
  );
});

test("what is normalised stays as it is", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    id,
    fc.constantFrom(
      'table "t1"',
      "ERROR 23503",
      "=(x)",
      '"',
      "'",
      "`",
      "(",
      "#",
      ":",
      "-",
      ".",
      "\n",
      "::1",
      "code 503",
      "Failing row contains (1, a)",
      "'O'Hara'",
      "' command",
      "property 'x'",
      '\', "{"a": x" is not valid JSON',
      "Cannot convert x to a BigInt",
      "Invalid regular expression: /(/: no",
      "connect ENOENT /a",
      "getaddrinfo ENOTFOUND a",
      '"path": [ "a", 1 ]',
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const once = normalisedError(pieces.join(""));
      return normalisedError(once) === once;
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  ["quotes", "\"'`"],
  ["digits", "1"],
  ["letters", "a"],
  ["colons", "a:"],
  ["slashes", "/a1"],
  ["brackets", "=("],
  ["surrogates", "\ud800"],
  ["hashes", "# "],
  ["names", 'table "'],
  ["apostrophes in words", "a'"],
  ["quotes and apostrophes", "'a'a"],
  ["paths of issues", '"path": ["a",'],
  ["JSON excerpts", "', \""],
  ["rows", "failing row contains ("],
  ["bare values", "cannot convert "],
])("1 MB of %s takes no time", (_what, unit) => {
  const hostile = unit.repeat(1_000_000 / unit.length);
  const startedMs = performance.now();
  fingerprint(hostile);
  expect(performance.now() - startedMs).toBeLessThan(200);
});

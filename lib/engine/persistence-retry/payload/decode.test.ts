import { expect, test } from "vitest";
import { decodePersistenceRetryJob, type PersistenceRetryJob } from "./decode";
import { encodePersistenceRetryJob } from "./encode";

const CHARACTER = "019a7f2c-51b8-7d0e-9c44-2f6e0b8d17a3";
const envelope = { session_impact: "None", source: "background_location", session_token: "secret-token" };
const idempotency = { key: "k", character_version: 8841, issued_at: "2026-11-14T03:29:08.412Z" };
const base = { character_id: CHARACTER, realm_id: "aurelia", zone_id: "418" };
const rewards = (gold: string, items = "[]") =>
  JSON.stringify({
    payload: { ...base, kind: "combat_rewards", encounter_id: "e", rewards: 0 },
    ...envelope,
    idempotency,
  }).replace('"rewards":0', `"rewards":{"gold":${gold},"items":${items}}`);
const location = (x: string) =>
  JSON.stringify({ payload: { ...base, kind: "character_location", position: 0 }, ...envelope, idempotency }).replace(
    '"position":0',
    `"position":{"x":${x},"y":0,"z":-0.50}`,
  );

const why = (text: string) => {
  const decoded = decodePersistenceRetryJob(text);
  return decoded.ok ? null : decoded.error;
};

test.each(["0", "9007199254740993", "9223372036854775807"])("gold %s stays the digits that it is", (gold) => {
  const decoded = decodePersistenceRetryJob(rewards(gold));
  expect(decoded).toMatchObject({ ok: true, job: { payload: { kind: "combat_rewards", gold } } });
});

test.each(["-1", "1.5", "1e3", "9223372036854775808", '"240"', "null", "1".repeat(100_000)])(
  "gold %# is refused",
  (gold) => {
    expect(why(rewards(gold))).toBe(
      `payload.rewards.gold: ${/^["n]/.test(gold) ? "expected a number" : "expected a whole number from 0 to 9223372036854775807"}`,
    );
  },
);

test.each(["1e400", "-0", "12.50", "1E+2", "0.000000000000000000001"])("a coordinate %s stays its source text", (x) => {
  expect(decodePersistenceRetryJob(location(x))).toMatchObject({
    ok: true,
    job: { payload: { position: { x, z: "-0.50" } } },
  });
});

test.each(["1e1001", "1".repeat(1_001)])("a coordinate that no screen could carry is refused", (x) => {
  expect(why(location(x))).toMatch(/^payload.position.x: expected a decimal number/);
});

test("what it does not know it ignores; of a key that occurs twice the last counts", () => {
  const text = location("1").replace("{", '{"new":[1e999],"source":"first",');
  expect(decodePersistenceRetryJob(text)).toMatchObject({ ok: true, job: { source: "background_location" } });
});

test.each([
  ["", /^not JSON/],
  ["null", /^payload: /],
  ["[]", /^payload: /],
  ['{"payload":{}}', /payload.kind/],
  [location("1").replace("character_location", "__proto__"), /no such kind/],
  [location("1").replace("character_location", "gold_rush"), /no such kind/],
  [location("1").replace(CHARACTER, "5520183"), /^payload.character_id: /],
  [location("1").replace('"None"', '"Whatever"'), /^session_impact: /],
  [location("1").replace('"k"', '"\\ud800"'), /^idempotency.key: /],
  [location("1").replace('"aurelia"', '"a\\u0000b"'), /^payload.realm_id: /],
  [location("1").replace("2026-11-14T03:29:08.412Z", "yesterday"), /^idempotency.issued_at: /],
  ["[".repeat(100_000), /^not JSON: it stops being JSON at character 100000/],
  [`{"payload":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, /^payload: /],
])("%# does not decode, and says where", (text, reason) => {
  expect(why(text)).toMatch(reason);
});

test("a reason repeats no value, and never the token", () => {
  const text = location("1").replace('"secret-token"', "12345678").replace("418", "x".repeat(300));
  expect(why(text)).not.toMatch(/12345678|xxx/);
});

test.each([rewards("9007199254740993", '[{"item_id":"a\\"b","quantity":2}]'), location("1.50")])(
  "a job that starts here is written so that it reads the same",
  (text) => {
    const decoded = decodePersistenceRetryJob(text);
    if (!decoded.ok) throw new Error(decoded.error);
    const again = decodePersistenceRetryJob(encodePersistenceRetryJob(decoded.job));
    expect(again).toEqual(decoded);
    expect(JSON.parse(encodePersistenceRetryJob(decoded.job))).toEqual(JSON.parse(text));
  },
);

test("a job without a session has none", () => {
  const decoded = decodePersistenceRetryJob(location("1"));
  if (!decoded.ok) throw new Error(decoded.error);
  const job: PersistenceRetryJob = { ...decoded.job, sessionToken: null };
  expect(encodePersistenceRetryJob(job)).not.toContain("session_token");
});

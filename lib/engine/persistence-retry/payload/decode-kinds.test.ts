import { expect, test } from "vitest";
import type { KindName } from "@/lib/engine/persistence-retry/kinds";
import { bodyOf, WORK_KINDS } from "@/scripts/testing/kind-bodies";
import { decodePersistenceRetryJob } from "./decode";
import { encodePersistenceRetryJob } from "./encode";

const CHARACTER = "019a7f2c-51b8-7d0e-9c44-2f6e0b8d17a3";

/** A job as a game server writes it. `replace`: what of its text is something else. */
function text(kind: KindName, ...replace: [string | RegExp, string][]): string {
  const whole =
    `{"payload":{"kind":"${kind}","character_id":"${CHARACTER}","realm_id":"aurelia","zone_id":"418",${bodyOf(kind, { transferId: CHARACTER })}},` +
    '"session_token":"secret-token","session_impact":"None","source":"zone-server-14",' +
    '"idempotency":{"key":"k","character_version":7,"issued_at":"2026-11-14T03:29:08.412Z"}}';
  return replace.reduce((said, [find, put]) => {
    const changed = said.replace(find, put);
    if (changed === said) throw new Error(`nothing to replace: ${find}`);
    return changed;
  }, whole);
}
const why = (said: string) => {
  const decoded = decodePersistenceRetryJob(said);
  return decoded.ok ? "decodes" : decoded.error;
};

test.each(WORK_KINDS)("%s decodes, and is written again so that it reads the same", (kind) => {
  const said = text(kind);
  const decoded = decodePersistenceRetryJob(said);
  if (!decoded.ok) throw new Error(decoded.error);
  expect(decoded.job.payload).toMatchObject({ kind, characterId: CHARACTER, realmId: "aurelia", zoneId: "418" });
  const again = encodePersistenceRetryJob(decoded.job);
  expect(decodePersistenceRetryJob(again)).toEqual(decoded);
  expect(JSON.parse(again)).toEqual(JSON.parse(said));
});

test.each(WORK_KINDS)("%s: what every payload has is checked", (kind) => {
  expect(why(text(kind, [`"${CHARACTER}"`, '"5520183"']))).toMatch(/^payload.character_id: /);
  expect(why(text(kind, ['"aurelia"', "7"]))).toMatch(/^payload.realm_id: /);
  expect(why(text(kind, ['"aurelia"', '""']))).toMatch(/^payload.realm_id: /);
  expect(why(text(kind, ['"418"', `"${"z".repeat(201)}"`]))).toMatch(/^payload.zone_id: /);
  expect(why(text(kind, ['"418"', "418"]))).toMatch(/^payload.zone_id: /);
  expect(why(text(kind, ['"418"', '"a\\u0000b"']))).toMatch(/^payload.zone_id: /);
  expect(why(text(kind, ['"418"', '"\\udc00"']))).toMatch(/^payload.zone_id: /);
});

test.each(WORK_KINDS)(
  "%s without a zone: fine where nothing goes there, refused where the zone is the point",
  (kind) => {
    const needs = ["character_location", "combat_rewards", "transfer_activation"].includes(kind);
    for (const said of [text(kind, ['"418"', "null"]), text(kind, ['"zone_id":"418",', ""])]) {
      if (needs) expect(why(said)).toMatch(/^payload.zone_id: /);
      else expect(decodePersistenceRetryJob(said)).toMatchObject({ ok: true, job: { payload: { zoneId: null } } });
    }
  },
);

const LOOKS = ["body_type", "skin_tone", "hair_style", "hair_color", "eye_color"];
const WHOLE = "expected a whole number from 0 to 9223372036854775807";
const BAD_TEXTS = ['""', "7", "null", `"${"x".repeat(101)}"`, '"a\\u0000b"', '"\\ud83d"', '["ash"]'];

test.each(LOOKS.flatMap((field) => BAD_TEXTS.map((bad) => [field, bad] as const)))(
  "appearance: %s is no %s",
  (field, bad) => {
    const said = text("character_appearance", [new RegExp(`"${field}":"[^"]*"`), `"${field}":${bad}`]);
    expect(why(said)).toMatch(new RegExp(`^payload.appearance.${field}: `));
  },
);

test.each(['"1.82"', "null", "1e1001", "1".repeat(1_001), "true"])("appearance: height %# is refused", (bad) => {
  expect(why(text("character_appearance", ["1.82", bad]))).toMatch(/^payload.appearance.height_m: expected a /);
});

test.each([["level"], ["experience"], ["story_chapter"]])(
  "gameplay state: %s is a whole number that a bigint holds",
  (field) => {
    const said = (value: string) => text("gameplay_state", [new RegExp(`"${field}":\\d+`), `"${field}":${value}`]);
    expect(why(said("9223372036854775807"))).toBe("decodes");
    for (const bad of ["9223372036854775808", "-1", "1.0", "1e3", "1".repeat(100_000)]) {
      expect(why(said(bad))).toBe(`payload.state.${field}: ${WHOLE}`);
    }
    for (const bad of ['"12"', "null", "[]"]) expect(why(said(bad))).toBe(`payload.state.${field}: expected a number`);
  },
);

test.each(["health", "stamina"])("gameplay state: %s is a decimal number, as its source text", (field) => {
  const said = (value: string) => text("gameplay_state", [new RegExp(`"${field}":[\\d.]+`), `"${field}":${value}`]);
  for (const good of ["0.10", "-0", "1E+2", "9007199254740993.10"]) {
    expect(decodePersistenceRetryJob(said(good))).toMatchObject({ ok: true, job: { payload: { [field]: good } } });
  }
  for (const bad of ["1e1001", "1".repeat(1_001)]) {
    expect(why(said(bad))).toMatch(new RegExp(`^payload.state.${field}: expected a decimal number`));
  }
  expect(why(said('"81"'))).toBe(`payload.state.${field}: expected a number`);
});

const equipped = (worn: string) => text("character_equipment", [/"equipment":\[.*?\]/, `"equipment":${worn}`]);
const slot = (name: string, item = '"iron_helm"') => `{"slot":${name},"item_id":${item}}`;

test("equipment: nothing worn is fine, and so are forty slots", () => {
  expect(why(equipped("[]"))).toBe("decodes");
  expect(why(equipped(`[${Array.from({ length: 40 }, (_, n) => slot(`"slot ${n}"`)).join(",")}]`))).toBe("decodes");
});

test.each([
  ["null", /^payload.equipment: /],
  ['{"head":"iron_helm"}', /^payload.equipment: /],
  [`[${Array.from({ length: 41 }, (_, n) => slot(`"slot ${n}"`)).join(",")}]`, /^payload.equipment: /],
  [`[${slot('"head"')},${slot('"head"', '"hood"')}]`, /^payload.equipment: a slot occurs twice/],
  [`[${slot("7")}]`, /^payload.equipment.0.slot: /],
  [`[${slot('""')}]`, /^payload.equipment.0.slot: /],
  [`[${slot(`"${"s".repeat(61)}"`)}]`, /^payload.equipment.0.slot: /],
  [`[${slot('"\\u0000"')}]`, /^payload.equipment.0.slot: /],
  [`[${slot('"\\ud800"')}]`, /^payload.equipment.0.slot: /],
  [`[${slot('"head"', "null")}]`, /^payload.equipment.0.item_id: /],
  [`[${slot('"head"', "12")}]`, /^payload.equipment.0.item_id: /],
  [`[${slot('"head"', `"${"i".repeat(201)}"`)}]`, /^payload.equipment.0.item_id: /],
  [`[${slot('"head"', '"\\udfff"')}]`, /^payload.equipment.0.item_id: /],
])("equipment %# is refused, and told where", (worn, reason) => {
  expect(why(equipped(worn))).toMatch(reason);
});

test.each(["7", "null", '""', '"not-a-uuid"', `"${"0".repeat(10_000)}"`, `["${CHARACTER}"]`])(
  "transfer: id %# is refused",
  (bad) => {
    const said = text("transfer_activation", [/"transfer_id":"[^"]*"/, `"transfer_id":${bad}`]);
    expect(why(said)).toMatch(/^payload.transfer_id: /);
  },
);

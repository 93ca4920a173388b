import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PersistenceRetryJob } from "@/lib/engine/persistence-retry/payload/decode";
import { persistDirectly } from "@/lib/engine/persistence-retry/persist";
import { effectState } from "@/lib/engine/testing/effect-state";
import {
  appearanceJob,
  equipmentJob,
  locationJob,
  newCharacter,
  newItem,
  type Person,
  stateJob,
} from "@/lib/engine/testing/maker";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { characterEquipment } from "./character-equipment";

let stores: TestStores;
let pool: pg.Pool;
let [helm, hood, boots] = ["", "", ""];
beforeAll(async () => {
  stores = await openStores();
  pool = stores.pool("engine");
  [helm, hood, boots] = [await newItem(pool), await newItem(pool), await newItem(pool)];
});
afterAll(() => stores.close());

const write = (job: PersistenceRetryJob) => persistDirectly({ pool }, randomUUID(), job);

test("appearance: each value is in its own column, digit for digit", async () => {
  const person = await newCharacter(pool);
  expect(await write(appearanceJob(person, { heightM: "1.820" }))).toBe("applied");
  expect((await effectState(pool, person.characterId)).character_appearance).toEqual([
    {
      character_id: person.characterId,
      body_type: "stout",
      skin_tone: "umber",
      hair_style: "braided",
      hair_color: "ash",
      eye_color: "grey",
      height_m: "1.820",
    },
  ]);
});

test("gameplay state: each value is in its own column, above what a double holds", async () => {
  const person = await newCharacter(pool);
  expect(await write(stateJob(person, { experience: "9223372036854775807", health: "1e30" }))).toBe("applied");
  expect((await effectState(pool, person.characterId)).gameplay_state).toEqual([
    {
      character_id: person.characterId,
      level: "12",
      experience: "9223372036854775807",
      health: "1000000000000000000000000000000",
      stamina: "40",
      story_chapter: "3",
    },
  ]);
});

const wears = async (person: Person) =>
  Object.fromEntries(
    (await effectState(pool, person.characterId)).character_equipment.map((row) => [row.slot, row.item_id]),
  );

test("equipment: afterwards is worn what the payload says and nothing else; the facts had named each slot", async () => {
  const person = await newCharacter(pool);
  await write(equipmentJob(person, { head: helm, feet: boots }));
  expect(await wears(person)).toEqual({ head: helm, feet: boots });
  const { payload } = equipmentJob(person, { head: hood, neck: boots });
  if (payload.kind !== "character_equipment") throw new Error(payload.kind);
  expect((await characterEquipment.effects(pool, payload)).filter(({ field }) => field !== "item_catalog")).toEqual([
    { field: "equipment.feet", payload: "none", now: boots, after: null, change: "sets" },
    { field: "equipment.head", payload: hood, now: helm, after: hood, change: "sets" },
    { field: "equipment.neck", payload: boots, now: null, after: boots, change: "sets" },
  ]);
  await write(equipmentJob(person, { head: hood, neck: boots }));
  expect(await wears(person)).toEqual({ head: hood, neck: boots });
  await write(equipmentJob(person, {}));
  expect(await wears(person)).toEqual({});
});

test("what is worn by somebody else is left alone", async () => {
  const [person, other] = [await newCharacter(pool), await newCharacter(pool)];
  await write(equipmentJob(other, { head: helm }));
  await write(equipmentJob(person, {}));
  expect(await wears(other)).toEqual({ head: helm });
});

const LATE: [string, (person: Person) => [PersistenceRetryJob, PersistenceRetryJob]][] = [
  ["character_location", (person) => [locationJob(person, { x: "1" }), locationJob(person, { x: "2" })]],
  ["character_appearance", (person) => [appearanceJob(person), appearanceJob(person, { hairColor: "copper" })]],
  ["character_equipment", (person) => [equipmentJob(person, { head: helm }), equipmentJob(person, { feet: boots })]],
  ["gameplay_state", (person) => [stateJob(person), stateJob(person, { level: "13", health: "100" })]],
];

test.each(LATE)(
  "%s is absolute: a late one overwrites the newer, whatever was written meanwhile",
  async (_kind, make) => {
    const early = await newCharacter(pool);
    const straight = await newCharacter(pool, { zoneId: early.zoneId });
    const [late, newer] = make(early);
    await write(newer);
    const before = await effectState(pool, early.characterId);
    expect(await write(late)).toBe("applied");
    expect(await effectState(pool, early.characterId)).not.toEqual(before);
    // The state is as if nothing but the late one had ever been written.
    const [alone] = make(straight);
    await write(alone);
    const blank = async (person: Person) => {
      const text = JSON.stringify(await effectState(pool, person.characterId)).replaceAll(
        person.characterId,
        "somebody",
      );
      return JSON.parse(text.replace(/"version":"\d+"/, '"version":"any"'));
    };
    expect(await blank(early)).toEqual(await blank(straight));
  },
);

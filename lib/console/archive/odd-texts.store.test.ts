import { afterAll, beforeAll, expect, test } from "vitest";
import { archiveAll, keptLetter, openArchive, type TestArchive } from "@/scripts/testing/archive";
import { makeCharacter, makeLetter } from "@/scripts/testing/game";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { exportLetters } from "./export";
import { findGroup } from "./group";
import { listArchived } from "./list";

/** What it is, an error, the same cause with other values in it, what is looked for, and the title of their group. */
const TEXTS: [string, string, string, string, string][] = [
  ["Chinese", "错误 418 无法写入奖励", "错误 77 无法写入奖励", "无法写入奖励", "错误 ‹n› 无法写入奖励"],
  ["Arabic", "خطأ 12 تعذر الحفظ", "خطأ 345 تعذر الحفظ", "تعذر", "خطأ ‹n› تعذر الحفظ"],
  ["emoji", "🐉🔥 👩‍👩‍👧", "🐉🔥 👩‍👩‍👧", "🔥", "🐉🔥 👩‍👩‍👧"],
  [
    "HTML",
    "<img src=x onerror=alert(1)> tore 7",
    "<img src=x onerror=alert(1)> tore 8",
    "tore",
    "<img src=x onerror=alert(‹n›)> tore ‹n›",
  ],
  ["only numbers", "80085 17 99", "80085 1 2", "80085", "‹n›"],
  ["without words", "?! … --- %_%", "?! … --- %_%", "%_%", "?! … --- %_%"],
];
const MEGABYTE = (n: number) => `leviathan ${n} ${"of the deep water ".repeat(58_000)}`;

let stores: TestStores;
let archive: TestArchive;
const made = new Map<string, { one: string; other: string }>();
beforeAll(async () => {
  stores = await openStores();
  archive = openArchive(stores);
  const characterId = await makeCharacter(archive.game);
  const letter = async (error: string) => (await makeLetter(archive.game, { characterId, error })).letterId;
  for (const [what, one, other] of TEXTS) made.set(what, { one: await letter(one), other: await letter(other) });
  made.set("1 MB", { one: await letter(MEGABYTE(1)), other: await letter(MEGABYTE(2)) });
  await archiveAll(archive.own, archive.queue);
});
afterAll(() => stores.close());

const groupOf = async (id: string) => (await keptLetter(archive.own, id)).group_id as string;
const idsOf = (what: string) => {
  const ids = made.get(what);
  if (!ids) throw new Error(`no letters: ${what}`);
  return ids;
};

test.each(TEXTS)(
  "%s: letters of one cause are one group, are found by a part of it, and said as they died",
  async (what, one, _other, text, title) => {
    const ids = idsOf(what);
    expect(await groupOf(ids.other)).toBe(await groupOf(ids.one));
    expect(await findGroup(archive.own, await groupOf(ids.one))).toMatchObject({ title, letters: 2 });
    const { rows } = await listArchived(archive.own, { text }, { limit: 10 });
    expect(rows.map(({ id }) => id).sort()).toEqual([ids.one, ids.other].sort());
    expect(rows.find(({ id }) => id === ids.one)?.error).toBe(one);
    let file = "";
    for await (const part of exportLetters(archive.own, { text }, "json")) file += part;
    const said = JSON.parse(file) as { letter_id: string; error: string }[];
    expect(said.find(({ letter_id }) => letter_id === ids.one)?.error).toBe(one);
  },
);

test("1 MB of error: grouped by its beginning, found by its words, listed in a line and kept in 16 KiB", async () => {
  const ids = idsOf("1 MB");
  expect(await groupOf(ids.other)).toBe(await groupOf(ids.one));
  const group = await findGroup(archive.own, await groupOf(ids.one));
  expect(group).toMatchObject({ letters: 2, title: expect.stringMatching(/^leviathan ‹n› of the deep.{300,}…$/) });
  const { rows } = await listArchived(archive.own, { text: "leviathan water" }, { limit: 10 });
  expect(rows.map(({ id }) => id).sort()).toEqual([ids.one, ids.other].sort());
  expect(rows.map(({ error }) => error.length)).toEqual([400, 400]);
  const kept = await keptLetter(archive.own, ids.one);
  expect(kept.error_bytes).toBe(Buffer.byteLength(MEGABYTE(1)));
  expect(kept.error_bytes).toBeGreaterThan(1_000_000);
  expect(Buffer.byteLength(kept.error)).toBeLessThanOrEqual(16_384);
});

test("no two of these causes are one group", async () => {
  const groups = await Promise.all([...made.values()].map(({ one }) => groupOf(one)));
  expect(new Set(groups).size).toBe(TEXTS.length + 1);
});

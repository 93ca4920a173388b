import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ArchivedState, type ArchiveFilter } from "@/lib/domain/archived-letter";
import { binsOf } from "@/lib/domain/bins";
import { archiveLetter, fillArchive } from "@/scripts/testing/archived-letters";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { countArchived, countNew } from "./count";
import { readGroups } from "./groups";
import { readHistogram } from "./histogram";
import { listArchived } from "./list";
import { tokenHash } from "./token-hash";

let stores: TestStores;
let own: Pool;
let nowMs: number;
/** Every letter of the fixture as it is, to be filtered by hand. */
let all: Plain[];
type Plain = {
  id: string;
  queue: string;
  kind: string;
  subject: string;
  realm: string;
  group: string;
  state: ArchivedState;
  ms: number;
};

beforeAll(async () => {
  stores = await openStores();
  own = stores.pool("backstop_own");
  await fillArchive(own, { letters: 3_000, days: 3, groups: 12, characters: 40 });
  await own.query("analyze backstop.dead_letters");
  const { rows } = await own.query(
    `select letter_id as id, queue, kind, subject_id as subject, labels ->> 'realm' as realm, group_id::text as group, state,
       extract(epoch from died_at)::float8 * 1000 as ms
     from backstop.dead_letters order by died_at desc, letter_id desc`,
  );
  all = rows;
  nowMs = (await own.query("select extract(epoch from clock_timestamp())::float8 * 1000 as ms")).rows[0].ms;
});
afterAll(() => stores.close());

function byHand(filter: ArchiveFilter): Plain[] {
  return all.filter(
    (each) =>
      (filter.queue === undefined || each.queue === filter.queue) &&
      (filter.queues === undefined || filter.queues.includes(each.queue)) &&
      (!filter.states?.length || filter.states.includes(each.state)) &&
      (filter.kind === undefined || each.kind === filter.kind) &&
      (filter.subject === undefined || each.subject === filter.subject) &&
      (filter.realm === undefined || each.realm === filter.realm) &&
      (filter.group === undefined || each.group === filter.group) &&
      (filter.fromMs === undefined || each.ms >= filter.fromMs) &&
      (filter.toMs === undefined || each.ms < filter.toMs),
  );
}

/** Each part of a filter by itself, pairs of them, and all at once. */
function filters(): ArchiveFilter[] {
  const one = all[100];
  if (!one) throw new Error("no letters");
  const parts: ArchiveFilter[] = [
    { queue: "session-lifecycle" },
    { queues: ["session-lifecycle"] },
    { states: ["open"] },
    { states: ["recovered", "died_again"] },
    { kind: one.kind },
    { subject: one.subject },
    { realm: one.realm },
    { group: one.group },
    { fromMs: nowMs - 86_400_000 },
    { fromMs: nowMs - 2 * 86_400_000, toMs: nowMs - 86_400_000 },
  ];
  const pairs = parts.flatMap((a, at) => parts.slice(at + 1).map((b) => ({ ...a, ...b })));
  return [{}, ...parts, ...pairs, Object.assign({}, ...parts.slice(1)), { states: [], kind: "no_such_kind" }];
}

test("whatever parts of a filter are set, list, count, groups and histogram are of the letters that fit all of them", async () => {
  for (const filter of filters()) {
    const expected = byHand(filter);
    const said = JSON.stringify(filter);
    const { rows } = await listArchived(own, filter, { limit: 50 });
    expect(
      rows.map(({ id }) => id),
      said,
    ).toEqual(expected.slice(0, 50).map(({ id }) => id));
    expect(await countArchived(own, filter), said).toEqual({ count: expected.length, capped: false });

    const span = { fromMs: nowMs - 3 * 86_400_000, toMs: nowMs };
    const { groups, total, letters } = await readGroups(own, filter, span);
    expect(letters, said).toBe(expected.length);
    expect(total, said).toBe(new Set(expected.map(({ group }) => group)).size);
    for (const group of groups) {
      const mine = expected.filter((each) => each.group === group.groupId);
      expect(group.letters, said).toBe(mine.length);
      expect(group.subjects, said).toBe(new Set(mine.map(({ subject }) => subject)).size);
      const ends = [mine.at(-1)?.ms ?? 0, mine[0]?.ms ?? 0];
      expect([group.firstMs, group.lastMs].map(Math.round), said).toEqual(ends.map(Math.round));
      for (const state of ArchivedState.options) {
        expect(group.counts[state], said).toBe(mine.filter((each) => each.state === state).length);
      }
      const seen = mine.filter(({ ms }) => ms >= span.fromMs && ms < span.toMs).length;
      expect(
        group.bins.reduce((sum, height) => sum + height, 0),
        said,
      ).toBe(seen);
    }
    expect(groups.map((group) => group.letters)).toEqual(
      groups.map((group) => group.letters).toSorted((a, b) => b - a),
    );
  }
});

test("the bins of the histogram hold the letters that died in them, by their state now", async () => {
  const bins = binsOf(nowMs - 86_400_000, nowMs);
  expect(bins.count).toBeGreaterThanOrEqual(60);
  for (const filter of [{}, { states: ["open"] as ArchivedState[] }, { realm: "realm-2" }]) {
    const found = await readHistogram(own, { ...filter, fromMs: 0, toMs: 1 }, bins);
    const expected = new Map<string, number>();
    for (const { ms, state } of byHand({ ...filter, fromMs: bins.fromMs, toMs: bins.toMs })) {
      const key = `${Math.floor((ms - bins.fromMs) / bins.widthMs)} ${state}`;
      expected.set(key, (expected.get(key) ?? 0) + 1);
    }
    const seen = new Map(
      found.flatMap(({ index, states }) =>
        Object.entries(states).map(([state, n]) => [`${index} ${state}`, n] as const),
      ),
    );
    expect(seen).toEqual(expected);
  }
});

test("pages over letters of one microsecond lose and repeat nothing, forth and back", async () => {
  const kind = "one_instant";
  const made: string[] = [];
  for (let n = 0; n < 23; n += 1) {
    made.push((await archiveLetter(own, { kind, diedAt: "2026-01-02T03:04:05.678901Z" })).id);
  }
  const seen: string[][] = [];
  let page = await listArchived(own, { kind }, { limit: 5 });
  for (;;) {
    seen.push(page.rows.map(({ id }) => id));
    if (page.next === null) break;
    page = await listArchived(own, { kind }, { limit: 5, after: page.next });
  }
  expect(seen.flat()).toEqual(made.toSorted().reverse());
  const back = [page.rows.map(({ id }) => id)];
  while (page.previous !== null) {
    page = await listArchived(own, { kind }, { limit: 5, before: page.previous });
    back.unshift(page.rows.map(({ id }) => id));
  }
  expect(back.flat()).toEqual(seen.flat());
});

test("a cap counts no further and says so; groups beyond theirs are of the newest letters", async () => {
  expect(await countArchived(own, {}, { max: 1_000 })).toEqual({ count: 1_000, capped: true });
  const states: ArchivedState[] = ["open", "recovered", "died_again", "resolved"];
  const some = byHand({ states, fromMs: nowMs - 3 * 86_400_000 });
  const filter = { states, fromMs: nowMs - 3 * 86_400_000 };
  expect(await countArchived(own, filter, { max: some.length })).toEqual({ count: some.length, capped: false });
  const { groups, letters, capped } = await readGroups(own, filter, { fromMs: 0, toMs: 1 }, { max: 100 });
  expect({ letters, capped }).toEqual({ letters: 100, capped: true });
  const newest = some.slice(0, 100);
  for (const group of groups) expect(group.letters).toBe(newest.filter((each) => each.group === group.groupId).length);
});

test("a search finds a letter by its id, its job, its character, the character's name and words of its error", async () => {
  const jobId = randomUUID();
  const subjectId = randomUUID();
  const made = await archiveLetter(own, {
    jobId,
    subjectId,
    subjectName: "Quillon the Grey",
    error: 'ERROR 23514: new row violates check constraint "gold_not_negative" in the treasury',
  });
  const find = async (text: string, filter: ArchiveFilter = {}) => {
    const { rows } = await listArchived(own, { ...filter, text }, { limit: 10 });
    expect(await countArchived(own, { ...filter, text })).toMatchObject({ count: rows.length });
    return rows.map(({ id }) => id);
  };
  const texts = [
    made.id,
    made.id.toUpperCase(),
    jobId,
    subjectId,
    "quillon THE grey",
    "gold_not_negative",
    "negative",
    "TREASURY violates",
    "23514",
  ];
  for (const text of texts) expect(await find(text), text).toEqual([made.id]);
  expect(await find("treasury", { states: ["recovered"] })).toEqual([]);
  expect(await find("treasury", { kind: "combat_rewards", states: ["open"], realm: "realm-1" })).toEqual([made.id]);
  expect(await find("treasu"), "a part of a word is not found, and the page says so").toEqual([]);
});

test("letters that say the same in two places are found once", async () => {
  const id = randomUUID();
  await archiveLetter(own, { id, jobId: id, subjectId: id });
  const name = "Deadlock";
  const named = await archiveLetter(own, { subjectName: name, error: "ERROR: deadlock in the crypt" });
  expect((await listArchived(own, { text: id }, { limit: 10 })).rows).toHaveLength(1);
  const { rows } = await listArchived(own, { text: name, fromMs: nowMs }, { limit: 10 });
  expect(rows.map((row) => row.id)).toEqual([named.id]);
});

test.each([
  ["Chinese", "无法写入奖励", "错误 无法写入奖励 区域"],
  ["Arabic", "تعذر", "خطأ تعذر الحفظ"],
  ["emoji", "🐉", "the dragon 🐉 ate it"],
  ["markup", "<script>alert(1)</script>", "<script>alert(1)</script> refused"],
  ["numbers", "80085", "80085 17 99"],
  ["marks", "%_%", "a %_% b"],
  ["quotes", `"'`, `none "' at all`],
])("%s in an error is found", async (what, text, error) => {
  const made = await archiveLetter(own, { kind: `odd_${what}`, error });
  const { rows } = await listArchived(own, { text, kind: `odd_${what}` }, { limit: 10 });
  expect(rows.map(({ id, error: shown }) => [id, shown])).toEqual([[made.id, error]]);
});

test("pages of a search by words lose and repeat nothing over days, months and years, forth and back", async () => {
  const kind = "searched";
  const made: string[] = [];
  for (const days of [0.1, 0.2, 1, 1.5, 3, 10, 20, 29, 31, 50, 400, 401, 2_000, 9_000]) {
    const diedAt = new Date(nowMs - days * 86_400_000).toISOString();
    made.push((await archiveLetter(own, { kind, error: `the zephyr took ${days}`, diedAt })).id);
  }
  for (const limit of [3, 5, 13, 50]) {
    const seen: string[] = [];
    let page = await listArchived(own, { text: "zephyr" }, { limit });
    for (;;) {
      seen.push(...page.rows.map(({ id }) => id));
      if (page.next === null) break;
      page = await listArchived(own, { text: "zephyr" }, { limit, after: page.next });
    }
    expect(seen, String(limit)).toEqual(made);
    const back = page.rows.map(({ id }) => id);
    while (page.previous !== null) {
      page = await listArchived(own, { text: "zephyr" }, { limit, before: page.previous });
      back.unshift(...page.rows.map(({ id }) => id));
    }
    expect(back, String(limit)).toEqual(made);
  }
});

test("a session token is found by its keyed hash alone", async () => {
  const hash = tokenHash("tok-secret-0123456789", "a secret of the test that is long");
  const made = await archiveLetter(own, { tokenHash: hash });
  expect((await listArchived(own, { tokenHash: hash }, { limit: 5 })).rows.map(({ id }) => id)).toEqual([made.id]);
  expect(hash).not.toBe(tokenHash("tok-secret-0123456789", "another secret of the test, also long"));
  expect(await countArchived(own, { text: "tok-secret-0123456789" })).toEqual({ count: 0, capped: false });
});

test("what was archived after a page was read is counted as new under its filter", async () => {
  const { rows } = await own.query("select extract(epoch from clock_timestamp())::float8 * 1000 as ms");
  await archiveLetter(own, { kind: "new_kind" });
  await archiveLetter(own, { kind: "new_kind", state: "recovered" });
  expect(await countNew(own, { kind: "new_kind" }, rows[0].ms)).toBe(2);
  expect(await countNew(own, { kind: "new_kind", states: ["open"] }, rows[0].ms)).toBe(1);
  expect(await countNew(own, { kind: "new_kind" }, rows[0].ms + 60_000)).toBe(0);
});

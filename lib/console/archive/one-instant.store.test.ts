import type { Pool } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ArchiveFilter } from "@/lib/domain/archived-letter";
import { encodeCursor } from "@/lib/queues/cursor";
import { openArchive, QUEUE, type TestArchive } from "@/scripts/testing/archive";
import { archiveLetter } from "@/scripts/testing/archived-letters";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { copyIn } from "./copy";
import { countArchived } from "./count";
import { exportLetters } from "./export";
import { keepAnswer } from "./keep-answer";
import { listArchived } from "./list";

// Ten thousand letters that died in one and the same microsecond: nothing but their ids tells where a page ends.

const AT = "2026-01-02T03:04:05.678901Z";
const LETTERS = 10_000;
const PAGE = 100;

let stores: TestStores;
let archive: TestArchive;
let own: Pool;
beforeAll(async () => {
  stores = await openStores();
  archive = openArchive(stores);
  own = archive.own;
});
afterAll(() => stores.close());

/** Letters of that instant, open; their ids, the last first. */
async function fill(kind: string): Promise<string[]> {
  const { id } = await archiveLetter(own, { kind, diedAt: AT });
  await own.query(
    `insert into backstop.dead_letters (queue, letter_id, died_at, job_id, kind, subject_id, labels, attempts, error, error_bytes,
       payload_bytes, payload_hash, group_id, state, state_at)
     select queue, gen_random_uuid()::text, died_at, gen_random_uuid()::text, kind, subject_id, labels, attempts, error,
       error_bytes, payload_bytes, payload_hash, group_id, state, state_at
     from backstop.dead_letters, generate_series(2, $2::int) where letter_id = $1`,
    [id, LETTERS],
  );
  const { rows } = await own.query("select letter_id as id from backstop.dead_letters where kind = $1", [kind]);
  return rows
    .map((row) => row.id as string)
    .sort()
    .reverse();
}

/** A letter of that instant dies late: it is in the store, and a keeper brings it in. */
async function dies(kind: string, id: string): Promise<void> {
  await archive.game.query(
    `insert into persistence_job_dead_letters (dead_letter_id, retry_job_id, job_kind, character_id, realm_id, payload,
       failed_attempts, error, dead_lettered_at) values ($1, gen_random_uuid(), $2, gen_random_uuid(), 'realm-1', '{}', 8, 'late', $3)`,
    [id, kind, AT],
  );
  await copyIn(own, archive.queue, id);
}

const requeued = (id: string) =>
  keepAnswer(own, QUEUE, { dead_letter_id: id, answer: "requeued", retry_job_id: id, at: AT });

/** The id right before or after another, in the order of ids. */
function beside(id: string, by: 1 | -1): string | null {
  const digit = Number.parseInt(id.slice(-1), 16) + by;
  return digit < 0 || digit > 15 ? null : `${id.slice(0, -1)}${digit.toString(16)}`;
}

type Pages = (filter: ArchiveFilter) => AsyncGenerator<string[]>;

async function* forwards(filter: ArchiveFilter): AsyncGenerator<string[]> {
  let page = await listArchived(own, filter, { limit: PAGE });
  for (;;) {
    yield page.rows.map(({ id }) => id);
    if (page.next === null) return;
    page = await listArchived(own, filter, { limit: PAGE, after: page.next });
  }
}

/** From what died just before all of them. */
async function* backwards(filter: ArchiveFilter): AsyncGenerator<string[]> {
  let before: string | null = encodeCursor("2026-01-02 03:04:05.6789+00", "0");
  while (before !== null) {
    const page = await listArchived(own, filter, { limit: PAGE, before });
    yield page.rows.map(({ id }) => id).reverse();
    before = page.previous;
  }
}

async function* exported(filter: ArchiveFilter): AsyncGenerator<string[]> {
  for await (const text of exportLetters(own, filter, "csv")) {
    const ids = text.split("\r\n").flatMap((line) => line.split(",")[1] ?? []);
    if (ids[0] !== "letter_id") yield ids;
  }
}

const READERS: [string, Pages, 1 | -1][] = [
  ["pages forwards", forwards, -1],
  ["pages backwards", backwards, 1],
  ["an export", exported, -1],
];

test.each(READERS)(
  "10,000 letters of one microsecond are each said once by %s, also while others are archived and requeued",
  async (name, pages, ahead) => {
    const kind = name.replaceAll(" ", "_");
    const made = await fill(kind);
    const inOrder = (ids: Iterable<string>) => (ahead === 1 ? [...ids].sort() : [...ids].sort().reverse());
    const filter: ArchiveFilter = { kind, states: ["open"] };
    const due = new Set(made);
    const seen: string[] = [];
    let turn = 0;
    for await (const ids of pages(filter)) {
      seen.push(...ids);
      turn += 1;
      const edge = ids.at(-1);
      // After the last page nothing more is said.
      if (edge === undefined || turn % 4 !== 0 || seen.length >= due.size) continue;
      // On either side of the page's edge one is archived, of which the one ahead is still to be said.
      for (const by of [1, -1] as const) {
        const id = beside(edge, by);
        if (id === null || due.has(id)) continue;
        await dies(kind, id);
        if (by === ahead) due.add(id);
      }
      // The edge itself leaves the filter, and so does one that was not said yet.
      await requeued(edge);
      const later = inOrder(due).at(-turn);
      if (later === undefined || seen.includes(later)) continue;
      await requeued(later);
      due.delete(later);
    }
    expect(turn).toBeGreaterThan(LETTERS / 250);
    expect(due.size).toBeGreaterThan(LETTERS - 100);
    expect(seen).toEqual(inOrder(due));
    const { count } = await countArchived(own, { kind });
    expect(count).toBeGreaterThan(LETTERS);
  },
);

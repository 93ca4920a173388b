import type { Pool } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { markUnseen } from "@/lib/domain/unseen";
import { archiveLetter, fillArchive } from "@/scripts/testing/archived-letters";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { exportLetters } from "./export";

let stores: TestStores;
let own: Pool;
beforeAll(async () => {
  stores = await openStores();
  own = stores.pool("backstop_own");
  await fillArchive(own, { letters: 1_500, days: 2 });
});
afterAll(() => stores.close());

async function whole(...[filter, format]: [Parameters<typeof exportLetters>[1], "csv" | "json"]): Promise<string> {
  let text = "";
  for await (const part of exportLetters(own, filter, format)) text += part;
  return text;
}

test("an export holds each letter of the filter once, in both formats, and its numbers are the database's", async () => {
  for (const filter of [
    { states: ["open" as const] },
    { kind: "gameplay_state", realm: "realm-1" },
    { kind: "none" },
  ]) {
    const { rows } = await own.query(
      `select letter_id from backstop.dead_letters where ($1::text is null or state = $1) and ($2::text is null or kind = $2)
         and ($3::text is null or labels ->> 'realm' = $3) order by died_at desc, letter_id desc`,
      [filter.states?.[0] ?? null, filter.kind ?? null, filter.realm ?? null],
    );
    const json = JSON.parse(await whole(filter, "json")) as { letter_id: string; attempts: number }[];
    expect(json.map((each) => each.letter_id)).toEqual(rows.map((row) => row.letter_id));
    const csv = (await whole(filter, "csv")).trimEnd().split("\r\n");
    expect(csv[0]).toMatch(/^queue,letter_id,generation,died_at,state,/);
    expect(csv.slice(1).map((line) => line.split(",")[1])).toEqual(rows.map((row) => row.letter_id));
  }
});

test("letters of one microsecond at the edge of a page are neither lost nor repeated", async () => {
  const kind = "edge";
  for (let n = 0; n < 450; n += 1) await archiveLetter(own, { kind, diedAt: "2026-01-02T03:04:05.678901Z" });
  const json = JSON.parse(await whole({ kind }, "json")) as { letter_id: string }[];
  expect(new Set(json.map((each) => each.letter_id)).size).toBe(450);
  expect(json).toHaveLength(450);
});

test("a formula in an error is text, and a session token that an error names is not in it", async () => {
  const kind = "planted";
  await archiveLetter(own, {
    kind,
    error: '=HYPERLINK("http://evil.example";"x") session_token=tok-planted-0123456789',
  });
  const csv = await whole({ kind }, "csv");
  expect(csv).toContain(`"'=HYPERLINK(""http://evil.example""`);
  expect(csv + (await whole({ kind }, "json"))).not.toContain("tok-planted");
});

test("no file holds a character that is not seen: CSV names it, and JSON reads back as what was written", async () => {
  const kind = "unseen";
  const { id } = await archiveLetter(own, { kind, subjectName: "\u202eBran\u200b", state: "resolved" });
  const reason = "paid \u202eby hand\u009b31m";
  await own.query("update backstop.dead_letters set resolved_reason = $2 where letter_id = $1", [id, reason]);
  const [csv, json] = [await whole({ kind }, "csv"), await whole({ kind }, "json")];
  for (const file of [csv, json]) expect(markUnseen(file)).toBe(file);
  expect(csv).toContain("‹RLO›Bran‹ZWSP›");
  expect(csv).toContain("paid ‹RLO›by hand‹CSI›31m");
  expect(JSON.parse(json)).toMatchObject([{ resolved_reason: reason }]);
});

test("only one page is read ahead of who takes it", async () => {
  let pages = 0;
  const plain = own.query.bind(own) as (...args: unknown[]) => unknown;
  const query = (...args: unknown[]) => {
    pages += 1;
    return plain(...args);
  };
  const counting = { query };
  const parts = exportLetters(counting as unknown as Pool, {}, "csv");
  await parts.next();
  expect(pages).toBe(0);
  await parts.next();
  expect(pages).toBe(1);
  await parts.return(undefined);
  expect(pages).toBe(1);
});

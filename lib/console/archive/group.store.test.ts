import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listAudit } from "@/lib/console/audit/list";
import { archiveLetter, makeGroup } from "@/scripts/testing/archived-letters";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { readBeforeAfter } from "./before-after";
import { findGroup, listHit } from "./group";
import { addNote, listNotes } from "./notes";
import { writeTimeline } from "./timeline";

let stores: TestStores;
let own: Pool;
const ERROR = "the vault is shut (7)";
const at = (minute: number) => `2026-03-01T10:${String(minute).padStart(2, "0")}:00Z`;

beforeAll(async () => {
  stores = await openStores();
  own = stores.pool("backstop_own");
});
afterAll(() => stores.close());

test("a group tells what became of its letters and whom they hit most, and nothing of another's", async () => {
  const [brannoch, ondine] = [randomUUID(), randomUUID()];
  const made = [
    { subjectId: brannoch, subjectName: "Brannoch", realm: "eu", zone: "harbour", state: "open" as const },
    { subjectId: brannoch, subjectName: "Brannoch", realm: "eu", zone: "crypt", state: "recovered" as const },
    { subjectId: ondine, subjectName: "Ondine", realm: "us", zone: "harbour", state: "died_again" as const },
  ];
  let groupId = "";
  for (const [index, letter] of made.entries()) {
    const requeuedAt = letter.state === "open" ? null : at(30 + index);
    ({ groupId } = await archiveLetter(own, { error: ERROR, diedAt: at(index), requeuedAt, ...letter }));
  }
  await archiveLetter(own, { error: "another cause", subjectId: brannoch });
  const group = await findGroup(own, groupId);
  expect(group).toMatchObject({
    title: "the vault is shut (‹n›)",
    letters: 3,
    capped: false,
    subjects: 2,
    resolvedMs: null,
  });
  expect(group?.counts).toMatchObject({ open: 1, recovered: 1, died_again: 1, awaiting: 0 });
  expect(group?.requeuedMs).toBe(Date.parse(at(32)));
  expect(await listHit(own, groupId, 1)).toEqual([
    { of: "realm", value: "eu", name: null, letters: 2 },
    { of: "subject", value: brannoch, name: "Brannoch", letters: 2 },
    { of: "zone", value: "harbour", name: null, letters: 2 },
  ]);
  expect(await findGroup(own, "999999")).toBeNull();
});

test("before and after something was done are counted over equal stretches, and never over more than has passed", async () => {
  const error = "the bridge is out";
  let groupId = "";
  // Minutes 0 to 9 one a minute, then one at 15.
  for (const minute of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15]) {
    ({ groupId } = await archiveLetter(own, { error, diedAt: at(minute) }));
  }
  const done = Date.parse(at(10));
  expect(await readBeforeAfter(own, groupId, done, Date.parse(at(20)))).toEqual({
    atMs: done,
    stretchMs: 600_000,
    before: 10,
    after: 1,
  });
  expect(await readBeforeAfter(own, groupId, done, Date.parse(at(14)))).toMatchObject({ before: 4, after: 0 });
});

test("a note stands with its line of the audit, and neither without the group", async () => {
  const groupId = await makeGroup(own, { error: "noted" });
  const { rows } = await own.query(
    "insert into backstop.users (username, display_name, role, password_hash) values ('vera', 'Vera', 'operator', 'x') returning user_id",
  );
  const actor = { id: rows[0].user_id as string, name: "Vera", role: "operator" };
  const given = { groupId, body: "Zone 418 is gone.", actor, address: null, requestId: "r1" };
  expect(await addNote(own, given)).toMatchObject({ kind: "added", note: { body: given.body, author: "Vera" } });
  expect(await addNote(own, { ...given, groupId: "999999" })).toEqual({ kind: "no_group" });
  expect((await listNotes(own, groupId)).map(({ body }) => body)).toEqual([given.body]);
  const audit = await own.query("select action, actor_name, target, detail from backstop.audit");
  expect(audit.rows).toEqual([
    {
      action: "note",
      actor_name: "Vera",
      target: { queue: "persistence-retry", group: groupId, note: expect.any(String) },
      detail: { body: given.body },
    },
  ]);
});

test("who is limited to a queue finds the notes on its errors in the audit and in the timeline, and no other queue's", async () => {
  const groupId = await makeGroup(own, { error: "noted for the limited" });
  const { rows } = await own.query(
    `insert into backstop.users (username, display_name, role, password_hash) values ('ida', 'Ida', 'operator', 'x')
     returning user_id, extract(epoch from clock_timestamp())::float8 * 1000 as ms`,
  );
  const [{ user_id: userId, ms: nowMs }] = rows;
  const actor = { id: userId as string, name: "Ida", role: "operator" };
  await addNote(own, { groupId, body: "The quay is back.", actor, address: null, requestId: "r2" });
  const span = { fromMs: nowMs - 60_000, toMs: nowMs + 60_000 };
  const seen = async (queue: "persistence-retry" | "session-lifecycle") => {
    const within = { queues: [queue], userId: "somebody else" };
    const listed = await listAudit(own, { within, who: actor.id }, { limit: 10 });
    const told = await writeTimeline(own, { queues: [queue] }, span);
    return [listed.rows.map(({ detail }) => detail?.body), told.includes("noted: The quay is back")];
  };
  expect(await seen("persistence-retry")).toEqual([["The quay is back."], true]);
  expect(await seen("session-lifecycle")).toEqual([[], false]);
});

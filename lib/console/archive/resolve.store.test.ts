import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createUser } from "@/lib/auth/users";
import { archiveAll, keptLetter, openArchive, QUEUE, type TestArchive } from "@/scripts/testing/archive";
import { overlapping } from "@/scripts/testing/forced-race";
import { makeLetter } from "@/scripts/testing/game";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { type Decider, decideLetters } from "./resolve";

vi.setConfig({ testTimeout: 60_000 });

let stores: TestStores;
let archive: TestArchive;
let own: Pool;
let maya: Decider;
let jonas: Decider;
beforeAll(async () => {
  stores = await openStores();
  archive = openArchive(stores);
  own = archive.own;
  maya = await operator("Maya");
  jonas = await operator("Jonas");
});
afterAll(() => stores.close());

async function operator(name: string): Promise<Decider> {
  const account = { username: name.toLowerCase(), displayName: name, password: "correct horse battery" };
  const userId = await createUser(own, { ...account, role: "operator" });
  return { userId, actor: { id: userId, name, role: "operator" }, address: "127.0.0.1", requestId: "test" };
}

async function openLetters(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await makeLetter(archive.game)).letterId);
  await archiveAll(own, archive.queue);
  return ids;
}

const reason = "already applied at 03:05:47, nothing is owed";
const decide = (verb: "resolve" | "reopen", letterIds: string[], by = maya, why = reason) =>
  decideLetters(own, verb, { queue: QUEUE, letterIds, reason: why }, by);
const stored = async () =>
  (await archive.game.query("select * from persistence_job_dead_letters order by dead_letter_id")).rows;
const audited = async (ids: string[]) =>
  (
    await own.query(
      "select phase, action, actor_name, reason, outcome, detail from backstop.audit where target -> 'letterIds' ? $1 order by audit_id",
      [ids[0]],
    )
  ).rows;

test("letters are resolved with who and why, then reopened as they were; the game's rows are untouched, the audit has both", async () => {
  const ids = await openLetters(3);
  const before = await stored();
  expect(await decide("resolve", ids)).toEqual({ kind: "done", changed: 3, asked: 3 });
  for (const id of ids) {
    const kept = await keptLetter(own, id);
    expect(kept).toMatchObject({ state: "resolved", resolved_by: maya.userId, resolved_reason: reason });
    expect(kept.resolved_at).not.toBeNull();
  }
  expect(await decide("reopen", ids, jonas, "the player says it is missing")).toMatchObject({ changed: 3 });
  for (const id of ids) {
    const kept = await keptLetter(own, id);
    expect(kept).toMatchObject({ state: "open", resolved_by: null, resolved_reason: null, resolved_at: null });
    expect(kept.state_at).toEqual(kept.died_at);
  }
  expect(await stored()).toEqual(before);
  expect(await audited(ids)).toEqual([
    { phase: "intent", action: "resolve", actor_name: "Maya", reason, outcome: null, detail: null },
    {
      phase: "outcome",
      action: "resolve",
      actor_name: "Maya",
      reason,
      outcome: "done",
      detail: { changed: 3, left: [] },
    },
    expect.objectContaining({ phase: "intent", action: "reopen", actor_name: "Jonas" }),
    expect.objectContaining({ phase: "outcome", action: "reopen", actor_name: "Jonas" }),
  ]);
});

test("two operators who resolve overlapping letters at once: each letter is resolved once, and each is told how many it was", async () => {
  const ids = await openLetters(6);
  const [first, second] = [ids.slice(0, 4), ids.slice(2).reverse()];
  const lock = { text: "select from backstop.dead_letters where letter_id = any($1) for update", values: [ids] };
  const settled = await overlapping(own, lock, [
    () => decide("resolve", first),
    () => decide("resolve", second, jonas),
  ]);
  const told = settled.map((one) => (one.status === "fulfilled" && one.value.kind === "done" ? one.value.changed : -1));
  expect(told.toSorted()).toEqual([2, 4]);
  const by = await Promise.all(ids.map(async (id) => (await keptLetter(own, id)).resolved_by));
  expect(by.filter((one) => one === maya.userId)).toHaveLength(told[0] ?? 0);
  expect(by.filter((one) => one === jonas.userId)).toHaveLength(told[1] ?? 0);
});

test.each(["awaiting", "recovered", "requeued_elsewhere", "resolved", "left_elsewhere"])(
  "a letter that is %s cannot be resolved",
  async (state) => {
    const [id] = (await openLetters(1)) as [string];
    await own.query("update backstop.dead_letters set state = $2 where letter_id = $1", [id, state]);
    expect(await decide("resolve", [id])).toEqual({ kind: "done", changed: 0, asked: 1 });
    expect(await keptLetter(own, id)).toMatchObject({ state, resolved_by: null });
  },
);

test("a letter that is not resolved cannot be reopened", async () => {
  const [id] = (await openLetters(1)) as [string];
  await own.query("update backstop.dead_letters set state = 'recovered' where letter_id = $1", [id]);
  expect(await decide("reopen", [id])).toMatchObject({ changed: 0 });
  expect(await keptLetter(own, id)).toMatchObject({ state: "recovered" });
});

test("a reason of nine characters, of blanks, or of what is not seen, changes nothing, and the refusal is on record", async () => {
  const [id] = (await openLetters(1)) as [string];
  for (const why of ["123456789", " ".repeat(40), "\u3164\u200b".repeat(20), "12345678\u200b\u200b 9", ""]) {
    expect(await decide("resolve", [id], maya, why)).toMatchObject({ kind: "incomplete" });
  }
  expect(await keptLetter(own, id)).toMatchObject({ state: "open" });
  const { rows } = await own.query(
    "select count(*)::int as n from backstop.audit where phase = 'refusal' and action = 'resolve'",
  );
  expect(rows).toEqual([{ n: 5 }]);
});

test("where the audit cannot be written nothing is resolved", async () => {
  const [id] = (await openLetters(1)) as [string];
  const nul = { ...maya, requestId: "\0" };
  await expect(decide("resolve", [id], nul)).rejects.toThrow();
  expect(await keptLetter(own, id)).toMatchObject({ state: "open" });
});

test("letters of another queue, and ids of nothing, are left alone", async () => {
  const [id] = (await openLetters(1)) as [string];
  const other = { queue: "session-lifecycle", letterIds: [id], reason };
  expect(await decideLetters(own, "resolve", other, maya)).toMatchObject({ changed: 0 });
  expect(await decide("resolve", [randomUUID()])).toEqual({ kind: "done", changed: 0, asked: 1 });
  expect(await keptLetter(own, id)).toMatchObject({ state: "open" });
});

import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertLetter, locationJob, newCharacter, rewardsJob } from "@/lib/engine/testing/maker";
import { overlapping, untilBlocked } from "@/scripts/testing/forced-race";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { readOperation, requeueBatch, requeueOne } from ".";

let stores: TestStores;
let pool: pg.Pool;
beforeAll(async () => {
  stores = await openStores();
  pool = await stores.warmPool("engine", 25);
});
afterAll(() => stores.close());

const lockLetter = (id: string) => ({
  text: "select 1 from persistence_job_dead_letters where dead_letter_id = $1 for update",
  values: [id],
});

async function jobsFrom(letter: string) {
  const { rows } = await pool.query(
    `select retry_job_id, job_kind, character_id, realm_id, zone_id, attempt_count, operation_id, source,
            next_attempt_at <= clock_timestamp() as due, lease_token
       from persistence_retry_jobs where requeued_from = $1`,
    [letter],
  );
  return rows;
}
async function letterRow(letter: string) {
  const { rows } = await pool.query(
    "select requeued_at, requeued_retry_job_id from persistence_job_dead_letters where dead_letter_id = $1",
    [letter],
  );
  return rows[0];
}

test("of twenty who requeue one letter at once, one makes a job, and the others learn which and by whom", async () => {
  const letter = await insertLetter(pool, rewardsJob(await newCharacter(pool)));
  const presses = Array.from(
    { length: 20 },
    (_, n) => () => requeueOne(pool, { deadLetterId: letter, actor: `op-${n}` }),
  );
  const settled = await overlapping(pool, lockLetter(letter), presses);
  const endings = settled.map((each) => (each.status === "fulfilled" ? each.value : Promise.reject(each.reason)));
  const all = await Promise.all(endings);
  const won = all.filter((ending) => ending.kind === "requeued");
  expect(won).toHaveLength(1);
  const jobs = await jobsFrom(letter);
  expect(jobs).toHaveLength(1);
  expect(jobs[0]).toMatchObject({ retry_job_id: won[0]?.retryJobId, attempt_count: 0, due: true, lease_token: null });
  expect((await letterRow(letter)).requeued_retry_job_id).toBe(jobs[0].retry_job_id);
  const winner = `op-${all.findIndex((ending) => ending.kind === "requeued")}`;
  for (const ending of all.filter((ending) => ending.kind !== "requeued")) {
    expect(ending).toMatchObject({ kind: "already_requeued", retryJobId: jobs[0].retry_job_id, actor: winner });
  }
});

test("a single requeue and runs of different operations at once: one job", async () => {
  const letter = await insertLetter(pool, rewardsJob(await newCharacter(pool)));
  const batch = () =>
    requeueBatch(pool, { operationId: randomUUID(), actor: "run", items: [{ dead_letter_id: letter }] });
  const single = () => requeueOne(pool, { deadLetterId: letter, actor: "click" });
  await overlapping<unknown>(pool, lockLetter(letter), [batch, single, batch, single, batch, single]);
  expect(await jobsFrom(letter)).toHaveLength(1);
});

test("ten repeats of one operation at once: one job, and the same answer for each", async () => {
  const letter = await insertLetter(pool, rewardsJob(await newCharacter(pool)));
  const operationId = randomUUID();
  const press = () => requeueBatch(pool, { operationId, actor: "a", items: [{ dead_letter_id: letter }] });
  const settled = await overlapping(pool, lockLetter(letter), Array(10).fill(press));
  const answers = new Set(settled.map((each) => JSON.stringify(each.status === "fulfilled" ? each.value : each)));
  expect(answers.size).toBe(1);
  expect([...answers][0]).toContain('"answer":"requeued"');
  expect(await jobsFrom(letter)).toHaveLength(1);
  expect(await readOperation(pool, operationId)).toHaveLength(1);
});

test("an unknown letter is told as such and leaves nothing", async () => {
  expect(await requeueOne(pool, { deadLetterId: randomUUID(), actor: "a" })).toEqual({ kind: "not_found" });
});

test("a payload that does not decode is refused and nothing is changed", async () => {
  const person = await newCharacter(pool);
  for (const payload of ["not json", "[]", '{"payload":{"kind":"no_such_kind"}}', "", "[".repeat(200_000)]) {
    const letter = await insertLetter(pool, rewardsJob(person), { payload });
    expect((await requeueOne(pool, { deadLetterId: letter, actor: "a" })).kind).toBe("undecodable");
    expect(await letterRow(letter)).toEqual({ requeued_at: null, requeued_retry_job_id: null });
    expect(await jobsFrom(letter)).toEqual([]);
  }
});

test("a batch answers each item for itself, in the order asked, and its answers can be read back", async () => {
  const person = await newCharacter(pool);
  const [good, gone] = [await insertLetter(pool, rewardsJob(person)), await insertLetter(pool, rewardsJob(person))];
  const broken = await insertLetter(pool, rewardsJob(person), { payload: "{" });
  const stale = await insertLetter(pool, locationJob(person));
  const missing = randomUUID();
  await requeueOne(pool, { deadLetterId: gone, actor: "somebody" });
  const operationId = randomUUID();
  const ids = [stale, missing, good, broken, gone];
  const items = ids.map((dead_letter_id) => ({
    dead_letter_id,
    ...(dead_letter_id === stale && { expect: { character_version: "6" } }),
  }));
  const ending = await requeueBatch(pool, { operationId, actor: "me", items });
  if (ending.kind !== "answered") throw new Error(ending.kind);
  expect(ending.answers.map((answer) => [answer.dead_letter_id, answer.answer])).toEqual([
    [stale, "changed"],
    [missing, "not_found"],
    [good, "requeued"],
    [broken, "undecodable"],
    [gone, "already_requeued"],
  ]);
  expect(ending.answers[0]).toMatchObject({
    changed: [{ field: "character_version", expected: "6", found: "7" }],
  });
  expect(ending.answers[4]).toMatchObject({ actor: "somebody" });
  expect((await jobsFrom(good))[0]).toMatchObject({ operation_id: operationId });
  expect(await letterRow(stale)).toEqual({ requeued_at: null, requeued_retry_job_id: null });
  const read = await readOperation(pool, operationId);
  expect(read).toHaveLength(5);
  expect(read).toEqual(expect.arrayContaining(ending.answers));
});

test("a later call of an operation adds items; a repeated item gets its recorded answer", async () => {
  const person = await newCharacter(pool);
  const [a, b] = [await insertLetter(pool, rewardsJob(person)), await insertLetter(pool, rewardsJob(person))];
  const operationId = randomUUID();
  const first = await requeueBatch(pool, { operationId, actor: "me", items: [{ dead_letter_id: a }] });
  // What the answer rested on is gone: it is read, not found again.
  await pool.query("delete from persistence_retry_jobs where requeued_from = $1", [a]);
  const items = [{ dead_letter_id: b }, { dead_letter_id: a.toUpperCase() }];
  const second = await requeueBatch(pool, { operationId, actor: "me", items });
  if (first.kind !== "answered" || second.kind !== "answered") throw new Error("not answered");
  expect(second.answers[1]).toEqual(first.answers[0]);
  expect(second.answers[0]).toMatchObject({ answer: "requeued", dead_letter_id: b });
  expect(await jobsFrom(a)).toEqual([]);
  expect(await readOperation(pool, operationId)).toHaveLength(2);
});

test("the same operation and letter with another expectation is a mismatch, and does nothing at all", async () => {
  const person = await newCharacter(pool);
  const [a, b] = [await insertLetter(pool, rewardsJob(person)), await insertLetter(pool, rewardsJob(person))];
  const operationId = randomUUID();
  const expect7 = { dead_letter_id: a, expect: { character_version: "7" } };
  await requeueBatch(pool, { operationId, actor: "me", items: [expect7] });
  const items = [{ dead_letter_id: b }, { dead_letter_id: a, expect: { character_version: "8" } }];
  const mismatch = { kind: "operation_mismatch", deadLetterId: a };
  expect(await requeueBatch(pool, { operationId, actor: "me", items })).toEqual(mismatch);
  expect(await jobsFrom(b)).toEqual([]);
  const within = [expect7, { dead_letter_id: a }];
  expect(await requeueBatch(pool, { operationId: randomUUID(), actor: "me", items: within })).toEqual(mismatch);
});

test("what is expected of the character is checked under its lock: a write that comes between is seen", async () => {
  const person = await newCharacter(pool);
  const letter = await insertLetter(pool, locationJob(person));
  const game = await pool.connect();
  await game.query("begin");
  await game.query("update characters set version = version + 1 where character_id = $1", [person.characterId]);
  const operationId = randomUUID();
  const items = [{ dead_letter_id: letter, expect: { character_version: "7" } }];
  const requeue = requeueBatch(pool, { operationId, actor: "me", items });
  await untilBlocked(game, 1);
  await game.query("commit");
  game.release();
  expect(await requeue).toMatchObject({
    kind: "answered",
    answers: [{ answer: "changed", changed: [{ field: "character_version", expected: "7", found: "8" }] }],
  });
  expect(await jobsFrom(letter)).toEqual([]);
});

test("a condition on the session, which this engine cannot read, is not taken as met", async () => {
  const letter = await insertLetter(pool, locationJob(await newCharacter(pool)));
  const items = [{ dead_letter_id: letter, expect: { session: "inactive" as const } }];
  const ending = await requeueBatch(pool, { operationId: randomUUID(), actor: "me", items });
  expect(ending).toMatchObject({ answers: [{ answer: "changed", changed: [{ field: "session", found: null }] }] });
});

test("a requeue whose time has passed on the store's clock begins nothing", async () => {
  const letter = await insertLetter(pool, locationJob(await newCharacter(pool)));
  const { rows } = await pool.query("select extract(epoch from clock_timestamp())::float8 * 1000 as now");
  const startByMs = rows[0].now - 1;
  expect((await requeueOne(pool, { deadLetterId: letter, actor: "a", startByMs })).kind).toBe("too_late");
  const items = [{ dead_letter_id: letter }];
  expect((await requeueBatch(pool, { operationId: randomUUID(), actor: "a", items, startByMs })).kind).toBe("too_late");
  expect((await letterRow(letter)).requeued_at).toBeNull();
  expect((await requeueOne(pool, { deadLetterId: letter, actor: "a", startByMs: startByMs + 60_000 })).kind).toBe(
    "requeued",
  );
});

test("two operations that share letters in opposite order both end", async () => {
  const person = await newCharacter(pool);
  const letters = [await insertLetter(pool, rewardsJob(person)), await insertLetter(pool, rewardsJob(person))];
  const run = (ids: string[]) => () =>
    requeueBatch(pool, {
      operationId: randomUUID(),
      actor: "r",
      items: ids.map((dead_letter_id) => ({ dead_letter_id })),
    });
  const held = [...letters].sort()[0] ?? "";
  const settled = await overlapping(pool, lockLetter(held), [run(letters), run([...letters].reverse())]);
  expect(settled.map((each) => each.status)).toEqual(["fulfilled", "fulfilled"]);
  for (const letter of letters) expect(await jobsFrom(letter)).toHaveLength(1);
});

test("a letter whose row stays locked is left without an answer; the others of the batch are not held back", async () => {
  const person = await newCharacter(pool);
  const [held, free] = [await insertLetter(pool, rewardsJob(person)), await insertLetter(pool, rewardsJob(person))];
  const holder = await pool.connect();
  await holder.query("begin");
  await holder.query(lockLetter(held).text, [held]);
  const operationId = randomUUID();
  const items = [{ dead_letter_id: held }, { dead_letter_id: free }];
  const ending = await requeueBatch(pool, { operationId, actor: "me", items }).finally(() => holder.release(true));
  expect(ending).toMatchObject({ kind: "answered", answers: [{ answer: "requeued", dead_letter_id: free }] });
  const again = await requeueBatch(pool, { operationId, actor: "me", items });
  expect(again).toMatchObject({ answers: [{ answer: "requeued", dead_letter_id: held }, { dead_letter_id: free }] });
});

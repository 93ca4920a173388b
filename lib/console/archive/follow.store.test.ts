import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { archiveAll, archivedQueue, keptLetter, QUEUE } from "@/scripts/testing/archive";
import { type Operator, openDesk, type TestDesk } from "@/scripts/testing/desk";
import { startEngine, type TestEngine } from "@/scripts/testing/engine";
import { untilBlocked } from "@/scripts/testing/forced-race";
import { type Made, makeLetter, payloadOf, whereabouts } from "@/scripts/testing/game";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { until } from "@/scripts/testing/until";
import type { ArchivedQueue } from "./copy";
import { followLetters } from "./follow";
import { walkHistory } from "./walk";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let stores: TestStores;
let game: Pool;
let engine: TestEngine;
let desk: TestDesk;
let queue: ArchivedQueue;
let maya: Operator;
beforeAll(async () => {
  stores = await openStores();
  game = stores.pool("engine", 4);
  engine = await startEngine(stores);
  desk = openDesk(stores, engine);
  queue = archivedQueue(stores.pool("backstop_read"), stores.backstopSecret);
  maya = await desk.operator("Maya");
});
afterAll(async () => {
  await engine.end();
  await stores.close();
});

const stateOf = async (letterId: string) => (await keptLetter(desk.own, letterId))?.state;
const resolve = (letterId: string) =>
  desk.own.query(
    "update backstop.dead_letters set state = 'resolved', resolved_at = clock_timestamp() where letter_id = $1",
    [letterId],
  );
const follow = () => followLetters(desk.own, queue);

/** Requeued as the seed's endpoint does it, by somebody who is not this desk. The job waits for ever, or is there no more. */
async function requeuedElsewhere(letter: Made, job: "waits" | "gone"): Promise<string> {
  const jobId = randomUUID();
  await game.query(
    "update persistence_job_dead_letters set requeued_at = clock_timestamp(), requeued_retry_job_id = $2 where dead_letter_id = $1",
    [letter.letterId, jobId],
  );
  if (job === "waits") {
    await game.query(
      `insert into persistence_retry_jobs (retry_job_id, job_kind, character_id, realm_id, payload, next_attempt_at, created_at, updated_at)
       values ($1, 'combat_rewards', $2, 'realm-1', $3, 'infinity', clock_timestamp(), clock_timestamp())`,
      [jobId, letter.characterId, letter.payload],
    );
  }
  return jobId;
}
const proved = (letter: Made, jobId: string, outcome: string) =>
  game.query(
    `insert into persistence_retry_outcomes (retry_job_id, dead_letter_id, outcome, settled_at)
     values ($1, $2, $3, clock_timestamp() - interval '1 s')`,
    [jobId, letter.letterId, outcome],
  );

test("a letter is kept before there is a plan of it, and awaits its outcome from the click on, then it is recovered", async () => {
  const letter = await makeLetter(game);
  expect(await stateOf(letter.letterId)).toBeUndefined();
  const plan = await desk.plan(letter.letterId, maya);
  expect(await stateOf(letter.letterId)).toBe("open");
  await desk.press(plan.operationId, maya);
  // Nobody has followed it: the click itself told the archive.
  const kept = await keptLetter(desk.own, letter.letterId);
  expect(kept).toMatchObject({ state: "awaiting", requeued_job_id: expect.any(String) });
  await until(async () => (await whereabouts(game, letter)).applied === 1);
  expect(await follow()).toBeGreaterThan(0);
  const { rows } = await game.query("select settled_at from persistence_retry_outcomes where dead_letter_id = $1", [
    letter.letterId,
  ]);
  const after = await keptLetter(desk.own, letter.letterId);
  expect(after).toMatchObject({ state: "recovered", requeued_job_id: kept.requeued_job_id });
  expect(after.state_at).toEqual(rows[0].settled_at);
});

test("while a letter cannot be kept there is no plan of it", async () => {
  const letter = await makeLetter(game);
  const holder = await stores.pool("backstop_migrate").connect();
  await holder.query("begin; lock table backstop.dead_letters in access exclusive mode");
  const plan = desk.plan(letter.letterId, maya);
  plan.catch(() => {});
  await untilBlocked(stores.pool("postgres", 1), 1);
  const text = "select count(*)::int as n from backstop.operation_items where letter_id = $1";
  expect((await desk.own.query(text, [letter.letterId])).rows).toEqual([{ n: 0 }]);
  await holder.query("rollback");
  holder.release();
  await plan;
  expect(await stateOf(letter.letterId)).toBe("open");
});

test("a requeued letter that dies again is linked to its next letter, and that one back to it", async () => {
  const { payload, key } = payloadOf({ characterId: randomUUID(), version: 1 });
  const letter = await makeLetter(game, { payload, key, characterId: randomUUID() });
  const jobId = await requeuedElsewhere(letter, "gone");
  await archiveAll(desk.own, queue);
  // Its job is gone and no outcome is kept: the store has the letter that it died into.
  const next = await makeLetter(game, { characterId: letter.characterId, diedAgo: "1 second" });
  await game.query("update persistence_job_dead_letters set retry_job_id = $2 where dead_letter_id = $1", [
    next.letterId,
    jobId,
  ]);
  const again = await makeLetter(game);
  const second = await requeuedElsewhere(again, "waits");
  await archiveAll(desk.own, queue);
  expect(await stateOf(again.letterId)).toBe("requeued_elsewhere");
  const died = await makeLetter(game, { characterId: again.characterId, diedAgo: "0 seconds" });
  await game.query("update persistence_job_dead_letters set retry_job_id = $2 where dead_letter_id = $1", [
    died.letterId,
    second,
  ]);
  await game.query("delete from persistence_retry_jobs where retry_job_id = $1", [second]);
  await archiveAll(desk.own, queue);
  await follow();
  expect(await keptLetter(desk.own, again.letterId)).toMatchObject({
    state: "died_again",
    next_letter_id: died.letterId,
  });
  expect(await keptLetter(desk.own, died.letterId)).toMatchObject({ state: "open", requeued_from: again.letterId });
});

test("a letter that somebody else requeued says so, and then what became of it: recovered, superseded, not proved", async () => {
  const letters = [await makeLetter(game), await makeLetter(game), await makeLetter(game)];
  const [first, second, third] = letters as [Made, Made, Made];
  await archiveAll(desk.own, queue);
  const jobs = await Promise.all(letters.map((letter) => requeuedElsewhere(letter, "waits")));
  await follow();
  for (const { letterId } of letters) expect(await stateOf(letterId)).toBe("requeued_elsewhere");
  await follow();
  for (const { letterId } of letters) expect(await stateOf(letterId)).toBe("requeued_elsewhere");
  await game.query("delete from persistence_retry_jobs where retry_job_id = any($1)", [jobs]);
  await proved(first, jobs[0] as string, "recovered");
  await proved(second, jobs[1] as string, "superseded");
  await follow();
  expect(await stateOf(first.letterId)).toBe("recovered");
  expect(await stateOf(second.letterId)).toBe("superseded");
  expect(await stateOf(third.letterId)).toBe("left_unproved");
});

test("a letter that was requeued before it was first seen is kept as what it has become", async () => {
  const [waits, done] = [await makeLetter(game), await makeLetter(game)];
  await requeuedElsewhere(waits, "waits");
  await proved(done, await requeuedElsewhere(done, "gone"), "recovered");
  await archiveAll(desk.own, queue);
  expect(await stateOf(waits.letterId)).toBe("requeued_elsewhere");
  expect(await stateOf(done.letterId)).toBe("recovered");
});

test.each(["open", "resolved"])(
  "a letter that is gone from its store has left elsewhere and stays kept; if it is there again it is %s again",
  async (was) => {
    const letter = await makeLetter(game);
    await archiveAll(desk.own, queue);
    if (was === "resolved") await resolve(letter.letterId);
    const { rows } = await game.query(
      "delete from persistence_job_dead_letters where dead_letter_id = $1 returning *",
      [letter.letterId],
    );
    await follow();
    expect(await stateOf(letter.letterId)).toBe("left_elsewhere");
    const columns = Object.keys(rows[0]);
    await game.query(
      `insert into persistence_job_dead_letters (${columns.join(", ")}) values (${columns.map((_, n) => `$${n + 1}`)})`,
      Object.values(rows[0]),
    );
    await walkHistory(desk.own, queue);
    expect(await stateOf(letter.letterId)).toBe(was);
  },
);

test("a resolved letter stays resolved while it is dead in its store, and follows it when it is put back", async () => {
  const letter = await makeLetter(game);
  await archiveAll(desk.own, queue);
  await resolve(letter.letterId);
  await follow();
  expect(await stateOf(letter.letterId)).toBe("resolved");
  await requeuedElsewhere(letter, "waits");
  await follow();
  expect(await keptLetter(desk.own, letter.letterId)).toMatchObject({
    state: "requeued_elsewhere",
    resolved_at: expect.any(Date),
  });
});

test("an answer that is still unknown is this desk's: its letter awaits, and is not said to be requeued elsewhere", async () => {
  const letter = await makeLetter(game);
  const plan = await desk.plan(letter.letterId, maya);
  await desk.own.query(
    "update backstop.operations set state = 'unknown', intended_at = clock_timestamp() where operation_id = $1",
    [plan.operationId],
  );
  await requeuedElsewhere(letter, "waits");
  await follow();
  expect(await stateOf(letter.letterId)).toBe("awaiting");
});

test("a look that is out of date changes nothing: a letter that moved meanwhile keeps what it moved to", async () => {
  const letter = await makeLetter(game);
  await archiveAll(desk.own, queue);
  const stale: ArchivedQueue = {
    ...queue,
    archive: {
      ...queue.archive,
      async readStates(letters) {
        const seen = await queue.archive.readStates(letters);
        // While the store was read, the click of an operator was answered.
        await desk.own.query(
          "update backstop.dead_letters set state = 'awaiting', requeued_job_id = $2 where letter_id = $1",
          [letter.letterId, randomUUID()],
        );
        seen.set(letter.letterId, { kind: "gone", outcome: null });
        return seen;
      },
    },
  };
  await followLetters(desk.own, stale);
  expect(await stateOf(letter.letterId)).toBe("awaiting");
});

test("however many may still change, each gets its turn: a run looks at so many and the next goes on", async () => {
  const letters = [];
  for (let n = 0; n < 7; n += 1) letters.push(await makeLetter(game));
  await archiveAll(desk.own, queue);
  const ids = letters.map(({ letterId }) => letterId);
  await game.query("delete from persistence_job_dead_letters where dead_letter_id = any($1)", [ids]);
  const { rows } = await desk.own.query(
    "select count(*)::int as n from backstop.dead_letters where queue = $1 and state in ('open', 'resolved', 'awaiting', 'requeued_elsewhere')",
    [QUEUE],
  );
  for (let run = 0; run <= rows[0].n / 2 + 1; run += 1) {
    await followLetters(desk.own, queue, { after: "" }, { awaitingMax: 2, othersMax: 2 });
  }
  expect(await Promise.all(ids.map(stateOf))).toEqual(ids.map(() => "left_elsewhere"));
});

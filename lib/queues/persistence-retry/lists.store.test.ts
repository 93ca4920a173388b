import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RetryState } from "@/lib/domain/retry";
import type { JobReader, LetterReader } from "@/lib/queues/queue";
import { makeJob, makeLetter } from "@/scripts/testing/game";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { persistenceRetry } from ".";

let stores: TestStores;
let game: Pool;
let jobs: JobReader;
let letters: LetterReader;

beforeAll(async () => {
  stores = await openStores();
  game = stores.pool("engine");
  const queue = persistenceRetry({ game: stores.pool("backstop_read"), redis: null, rpc: null });
  if (!queue.jobs || !queue.letters) throw new Error("no readers");
  jobs = queue.jobs;
  letters = queue.letters;
});
afterAll(() => stores.close());

test("each state of a job is judged on the database's clock, and its row says who holds it until when", async () => {
  const made = new Map<string, string>();
  for (const state of RetryState.options) made.set(await makeJob(game, state), state);
  const { rows, atMs } = await jobs.listJobs({}, { limit: 50 });
  for (const row of rows.filter(({ id }) => made.has(id))) {
    expect(row.state).toBe(made.get(row.id));
    expect(row.lease === null).toBe(row.state !== "leased" && row.state !== "expired");
    if (row.lease) expect(row.lease.untilMs > atMs).toBe(row.state === "leased");
  }
  const counts = await jobs.countJobs({});
  expect(Object.values(counts).reduce((sum, { count }) => sum + count, 0)).toBe(rows.length);
  for (const state of RetryState.options) {
    const only = await jobs.listJobs({ states: [state] }, { limit: 50 });
    expect(only.rows.map((row) => row.state)).toEqual(Array(counts[state].count).fill(state));
  }
});

test("a cursor that is none begins at the beginning", async () => {
  for (const after of [
    "",
    "%%%",
    "bm90IGpzb24",
    Buffer.from('["2026-01-01 00:00:00","x"]').toString("base64url"),
    "a".repeat(10_000),
  ]) {
    expect((await jobs.listJobs({}, { limit: 1, after })).rows).toHaveLength(1);
  }
});

test("odd rows: far times, a null zone, an unknown kind, huge counts and texts are shown and do no harm", async () => {
  const odd = await makeLetter(game, {
    error: `<script>alert(1)</script>\u001b[31m${"x".repeat(1_000_000)}`,
    attempts: 2_147_483_647,
  });
  await game.query(
    "update persistence_job_dead_letters set dead_lettered_at = 'infinity', zone_id = null, job_kind = 'render_tickets' where dead_letter_id = $1",
    [odd.letterId],
  );
  const deep = await makeLetter(game, { payload: `${"[".repeat(100_000)}${"]".repeat(100_000)}` });
  const large = await makeLetter(game, { payload: `{"s":"${"y".repeat(20_000_000)}"}` });
  const torn = await makeLetter(game, { payload: '{"session_token":"tok-torn' });
  await game.query(
    "update persistence_job_dead_letters set dead_lettered_at = '0001-01-01' where dead_letter_id = $1",
    [torn.letterId],
  );

  const found = await letters.findLetter(odd.letterId);
  expect(found).toMatchObject({
    zoneId: null,
    kind: "render_tickets",
    attempts: 2_147_483_647,
    diedMs: 8.64e15,
    errorBytes: 1_000_030,
  });
  expect(found?.error.length).toBeLessThan(20_000);
  expect((await letters.findLetter(deep.letterId))?.payload.text).not.toBeNull();
  expect((await letters.findLetter(large.letterId))?.payload).toMatchObject({ text: null, bytes: 20_000_008 });
  const hidden = await letters.findLetter(torn.letterId);
  expect(JSON.stringify(hidden)).not.toContain("tok-torn");
  expect(await letters.findLetter(randomUUID())).toBeNull();
  expect(await letters.findLetter("not-an-id")).toBeNull();
});

test("a session token that an error quotes is shown on no page and in no list of jobs", async () => {
  const made = await makeLetter(game, {
    sessionToken: "tok-quoted-0123456789",
    error: "refused: session_token=tok-quoted-0123456789",
  });
  const elsewhere = await makeLetter(game, {
    sessionToken: "tok-bare-0123456789",
    error: "user tok-bare-0123456789 is unknown",
  });
  const jobId = await makeJob(game, "retrying");
  await game.query(
    'update persistence_retry_jobs set last_error = \'bad "session_token":"tok-of-a-job-012"\' where retry_job_id = $1',
    [jobId],
  );
  const shown = JSON.stringify([
    await letters.findLetter(made.letterId),
    await letters.findLetter(elsewhere.letterId),
    (await jobs.listJobs({}, { limit: 100 })).rows,
  ]);
  for (const token of ["tok-quoted", "tok-bare", "tok-of-a-job"]) expect(shown).not.toContain(token);
});

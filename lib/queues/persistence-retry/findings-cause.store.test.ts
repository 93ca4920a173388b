import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Finding } from "@/lib/domain/preflight";
import { type FindingDesk, openFindingDesk } from "@/scripts/testing/finding-desk";
import { makeJob, makeLetter, makeZone } from "@/scripts/testing/game";
import { until } from "@/scripts/testing/until";

// 'Did the fix work', told from writes that a real worker fails and then does.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let desk: FindingDesk;
beforeAll(async () => {
  desk = await openFindingDesk({
    PERSISTENCE_RETRY_POLL_MILLIS: "100",
    PERSISTENCE_RETRY_BACKOFF_MILLIS: "500",
    PERSISTENCE_RETRY_BACKOFF_CAP_MILLIS: "500",
    PERSISTENCE_RETRY_LIMIT: "100",
  });
});
afterAll(() => desk?.end());

async function causeOf(letterId: string): Promise<Finding | undefined> {
  const { cause_present, kind_healthy } = await desk.find(letterId);
  expect(cause_present === undefined).not.toBe(kind_healthy === undefined);
  return cause_present ?? kind_healthy;
}

/** Jobs of a zone that is not in the catalog, each of which a worker has failed twice. */
async function failing(zoneId: string, jobs: number): Promise<string[]> {
  const ids = await Promise.all(Array.from({ length: jobs }, () => makeJob(desk.game, "due", { zoneId })));
  await until(async () => (await attemptsOf(ids)) >= jobs * 2);
  return ids;
}

async function attemptsOf(jobs: string[]): Promise<number> {
  const { rows } = await desk.game.query(
    "select count(*)::int as n from persistence_retry_attempts where retry_job_id = any($1) and error is not null",
    [jobs],
  );
  return rows[0].n;
}

test("while writes fail with the letter's own error it warns; once one of them went through it is quiet within seconds", async () => {
  const { letterId } = await makeLetter(desk.game);
  await failing("sunken-city", 3);
  const found = await causeOf(letterId);
  expect(found).toMatchObject({
    code: "cause_present",
    severity: "warn",
    reason: "The cause is probably still there.",
  });
  expect(found?.title).toMatch(/^3 writes failed with this same error in the last 5 min, the last one [0-2] s ago$/);
  expect(found?.evidence[0]?.value).toMatch(/^\d+ of \d+ attempts failed in the last 5 min$/);

  await makeZone(desk.game, "sunken-city");
  const mendedMs = performance.now();
  await until(async () => (await causeOf(letterId))?.code === "kind_healthy");
  expect(performance.now() - mendedMs).toBeLessThan(8_000);
  const after = await causeOf(letterId);
  expect(after?.title).toMatch(/^No write has failed with this error for \d+ s/);
  expect(after?.reason).toMatch(/^A write that had failed with it succeeded \d+ s ago\.$/);
});

test("failures that stop without a success: it warns on for 10 s, then it calms down by itself", async () => {
  const letter = await makeLetter(desk.game, { kind: "character_location", error: await locationError() });
  const jobs = await Promise.all(
    Array.from({ length: 2 }, () => makeJob(desk.game, "due", { kind: "character_location", zoneId: "drowned" })),
  );
  await until(async () => (await attemptsOf(jobs)) >= 6);
  await desk.game.query("delete from persistence_retry_jobs where retry_job_id = any($1)", [jobs]);
  // What is left of them is in letters alone, as when they died.
  await asLetters(jobs);
  await sleep(4_000);
  expect((await causeOf(letter.letterId))?.code).toBe("cause_present");
  await sleep(7_000);
  expect((await causeOf(letter.letterId))?.code).toBe("kind_healthy");
});

async function locationError(): Promise<string> {
  return 'ERROR 23503: insert or update on table "characters" violates foreign key constraint "characters_zone_id_fkey"\nDETAIL: Key (zone_id)=(elsewhere) is not present in table "zone_catalog".';
}

async function asLetters(jobs: string[]): Promise<void> {
  for (const job of jobs) {
    const { letterId } = await makeLetter(desk.game, { kind: "character_location", error: await locationError() });
    await desk.game.query("update persistence_job_dead_letters set retry_job_id = $2 where dead_letter_id = $1", [
      letterId,
      job,
    ]);
  }
}

const GAMEPLAY = {
  kind: "gameplay_state",
  error: 'ERROR 23514: new row violates check constraint "level_max"',
} as const;

test("nothing of this kind was tried: in order, and said honestly", async () => {
  const { letterId } = await makeLetter(desk.game, GAMEPLAY);
  expect(await causeOf(letterId)).toMatchObject({
    code: "kind_healthy",
    severity: "ok",
    title: "No write has failed with this error in the last 5 min",
    reason: "No gameplay_state write was tried either: requeue one letter and follow it before more.",
  });
});

test("the letter's own death of just now is a failure of that time; of a minute ago it is not any more", async () => {
  const { letterId } = await makeLetter(desk.game, { ...GAMEPLAY, diedAgo: "5 seconds" });
  const fresh = await causeOf(letterId);
  expect(fresh?.title).toMatch(/^1 write failed with this same error in the last 5 min, the last one [5-7] s ago$/);
  expect(fresh?.acknowledgement).toBeDefined();
  await desk.game.query(
    "update persistence_job_dead_letters set dead_lettered_at = clock_timestamp() - interval '61 seconds' where dead_letter_id = $1",
    [letterId],
  );
  expect((await causeOf(letterId))?.title).toMatch(/^No write has failed with this error for 1m 0[1-3]s/);
});

test("another error of the same kind, or the same error of another kind, is not this cause", async () => {
  const { letterId } = await makeLetter(desk.game, {
    kind: "character_appearance",
    error: "ERROR 40001: could not serialize",
  });
  await makeLetter(desk.game, { kind: "character_appearance", error: "ERROR 23514: no", diedAgo: "1 second" });
  await makeLetter(desk.game, {
    kind: "character_equipment",
    error: "ERROR 40001: could not serialize",
    diedAgo: "1 second",
  });
  expect((await causeOf(letterId))?.code).toBe("kind_healthy");
});

test("what succeeded since the last failure is counted", async () => {
  const error = "ERROR 40P01: deadlock detected";
  const { letterId } = await makeLetter(desk.game, { kind: "transfer_activation", error, diedAgo: "3 minutes" });
  const job = await makeJob(desk.game, "due", { kind: "transfer_activation" });
  await until(async () => {
    const { rows } = await desk.game.query("select from persistence_retry_jobs where retry_job_id = $1", [job]);
    return rows.length === 0;
  });
  const found = await causeOf(letterId);
  expect(found?.title).toMatch(
    /^No write has failed with this error for 3( min|m 0\ds); 1 transfer_activation write succeeded since$/,
  );
  expect(found?.evidence).toEqual([{ label: "this kind", value: "0 of 1 attempts failed in the last 5 min" }]);
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { findKeptLetter } from "@/lib/console/archive/find-letter";
import { readKeptLives } from "@/lib/console/archive/kept-lives";
import { archiveAll, openArchive, QUEUE, type TestArchive, walkAll } from "@/scripts/testing/archive";
import { type Made, makeLetter } from "@/scripts/testing/game";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { letterOfArchive } from "./letter-of-archive";

let stores: TestStores;
let archive: TestArchive;
beforeAll(async () => {
  stores = await openStores();
  archive = openArchive(stores);
});
afterAll(() => stores.close());

const shown = async (id: string) => {
  const kept = await findKeptLetter(archive.own, QUEUE, id);
  if (!kept) throw new Error("the letter is not kept");
  return letterOfArchive(QUEUE, kept, await readKeptLives(archive.own, QUEUE, id));
};

test("a letter is shown from the archive as it was: its payload laid out with what was masked, its labels, its error", async () => {
  const sessionToken = "tok-forgotten-0123456789";
  const made = await makeLetter(archive.game, { sessionToken });
  const alive = await archive.queue.letters?.findLetter(made.letterId);
  await archiveAll(archive.own, archive.queue);
  await archive.game.query("delete from persistence_job_dead_letters");
  const letter = await shown(made.letterId);
  const { payload, error, kind, subjectName, realmId, zoneId, attempts, diedMs, jobId, impact, source } = letter;
  expect(JSON.stringify(letter)).not.toContain(sessionToken);
  expect(payload.masked).toEqual([{ path: "session_token", bytes: 24 }]);
  expect(alive).toMatchObject({
    payload,
    error,
    kind,
    subjectName,
    realmId,
    zoneId,
    attempts,
    diedMs,
    jobId,
    impact,
    source,
  });
});

test("its lives are told letter by letter across requeues, from whichever of them one looks", async () => {
  const letters: Made[] = [];
  for (const diedAgo of ["3 hours", "2 hours", "1 hour"]) letters.push(await makeLetter(archive.game, { diedAgo }));
  const [first, second, third] = letters as [Made, Made, Made];
  await walkAll(archive.own, archive.queue);
  const became = (letter: Made, next: Made | null, state: string, jobId: string) =>
    archive.own.query(
      `update backstop.dead_letters set state = $2, next_letter_id = $3, requeued_job_id = $4, requeued_at = clock_timestamp()
        where letter_id = $1`,
      [letter.letterId, state, next?.letterId ?? null, jobId],
    );
  await became(first, second, "died_again", second.jobId);
  await became(second, third, "died_again", third.jobId);
  await became(third, null, "recovered", "the-last-job");
  const back = "update backstop.dead_letters set requeued_from = $2 where letter_id = $1";
  await archive.own.query(back, [second.letterId, first.letterId]);
  await archive.own.query(back, [third.letterId, second.letterId]);
  for (const { letterId } of letters) {
    const { lives } = await shown(letterId);
    expect(lives.map(({ jobId, letterId: of, end }) => [jobId, of, end])).toEqual([
      [first.jobId, first.letterId, "dead"],
      [second.jobId, second.letterId, "dead"],
      [third.jobId, third.letterId, "dead"],
      ["the-last-job", null, "recovered"],
    ]);
  }
});

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { archiveAll, keptLetter, openArchive, type TestArchive } from "@/scripts/testing/archive";
import { makeLetter } from "@/scripts/testing/game";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { followLetters } from "./follow";
import { readKeptLives } from "./kept-lives";

// A game server with the seed's columns alone does not say of a letter which one it came from: the archive finds it.

let stores: TestStores;
let archive: TestArchive;
beforeAll(async () => {
  stores = await openStores();
  archive = openArchive(stores);
});
afterAll(() => stores.close());

/** A letter that is kept, was requeued, and whose job has died into another since. */
async function diedAgain(): Promise<{ first: string; next: string }> {
  const { game, own, queue } = archive;
  const first = await makeLetter(game, { diedAgo: "5 minutes" });
  await archiveAll(own, queue);
  const jobId = randomUUID();
  await game.query(
    "update persistence_job_dead_letters set requeued_at = clock_timestamp(), requeued_retry_job_id = $2 where dead_letter_id = $1",
    [first.letterId, jobId],
  );
  const next = await makeLetter(game, { characterId: first.characterId, diedAgo: "1 second" });
  await game.query("update persistence_job_dead_letters set retry_job_id = $2 where dead_letter_id = $1", [
    next.letterId,
    jobId,
  ]);
  return { first: first.letterId, next: next.letterId };
}

const linked = async ({ first, next }: { first: string; next: string }) => {
  expect(await keptLetter(archive.own, first)).toMatchObject({ state: "died_again", next_letter_id: next });
  expect(await keptLetter(archive.own, next)).toMatchObject({ state: "open", requeued_from: first });
  const lives = await readKeptLives(archive.own, "persistence-retry", next);
  expect(lives.map(({ letterId }) => letterId)).toEqual([first, next]);
};

test("a letter that is followed before its next one is kept is linked to it, and that one back to it", async () => {
  const letters = await diedAgain();
  await followLetters(archive.own, archive.queue);
  await archiveAll(archive.own, archive.queue);
  await linked(letters);
});

test("a keeper that dies while it follows leaves no letter without its link: the next one makes it", async () => {
  const letters = await diedAgain();
  await archiveAll(archive.own, archive.queue);
  // Two statements in whatever order, of which the second is never sent.
  let changes = 0;
  const dying = new Proxy(archive.own, {
    get(pool, name) {
      if (name !== "query") return Reflect.get(pool, name);
      return (sql: { text: string }) => {
        if (/^\s*update backstop\.dead_letters/.test(sql.text) && ++changes > 1) throw new Error("killed");
        return pool.query(sql);
      };
    },
  });
  await expect(followLetters(dying, archive.queue)).rejects.toThrow("killed");
  await followLetters(archive.own, archive.queue);
  await linked(letters);
});

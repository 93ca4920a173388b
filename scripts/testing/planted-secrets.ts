import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import type { Pool } from "pg";
import { JOURNAL_KEYS } from "@/lib/queues/session-lifecycle/keys";
import { cleanupItem, dieInJournal, entryBytes } from "@/scripts/testing/journal";
import { makeCharacter, makeLetter, payloadOf, REALM } from "./game";

/** The rules that a desk needs to hide what is planted here and is not masked without being asked for. */
export const PLANTED_RULES = {
  BACKSTOP_MASK_PATHS: "vault.code,serials[]",
  BACKSTOP_MASK_PATTERNS: "\\bgk_[a-z0-9]{10,}\\b",
};

/** No page, file, answer or log line may hold one of these. */
export const PLANTED = {
  token: "tok-planted-4f9a17c2",
  journalToken: "tok-planted-journal-88d1",
  email: "planted.person@example.com",
  keyEmail: "planted.key@example.com",
  card: "4111111111111111",
  cardWritten: "5555 5555 5555 4444",
  path: "planted-vault-7731",
  inList: "planted-serial-0042",
  pattern: "gk_planted00112233",
  // Cut where lists cut an error: half of it would be left.
  atTheCut: "planted.at.the.cut@example.com",
};

const NOTES = `"vault":{"code":"${PLANTED.path}"},"serials":["${PLANTED.inList}"],"mail":"${PLANTED.email}",
  "${PLANTED.keyEmail}":1,"card":${PLANTED.card},"note":"paid with ${PLANTED.cardWritten}","api":"${PLANTED.pattern}"`;
const QUOTED = `refused ${PLANTED.token} of ${PLANTED.email} (${PLANTED.path}, ${PLANTED.inList}), card ${PLANTED.cardWritten} ${PLANTED.pattern}`;

export type PlantedIn = { letterId: string; jobId: string; journalLetterId: string; notJsonId: string };

/** A dead letter, a retry row, and a letter and an entry of the journal with each secret wherever a store may hold it. */
export async function plantSecrets(game: Pool, redis: Redis): Promise<PlantedIn> {
  const characterId = await makeCharacter(game, { name: PLANTED.email });
  const made = payloadOf({ characterId, sessionToken: PLANTED.token });
  const payload = made.payload.replace(/^\{/, `{${NOTES},`);
  const cut = "x".repeat(390 - QUOTED.length);
  const error = `${QUOTED} ${cut} ${PLANTED.atTheCut}`;
  const { letterId } = await makeLetter(game, { characterId, payload, error, diedAgo: "0 seconds" });
  const { letterId: notJsonId } = await makeLetter(game, {
    payload: `{"session_token":"${PLANTED.token}"`,
    error: "not JSON",
    diedAgo: "0 seconds",
  });
  const jobId = randomUUID();
  await game.query(
    `insert into persistence_retry_jobs (retry_job_id, job_kind, character_id, realm_id, zone_id, payload, last_error, attempt_count,
       next_attempt_at, lease_owner, created_at, updated_at)
     values ($1, 'combat_rewards', $2, '${REALM}', $3, $4, $5, 2, 'infinity', null, clock_timestamp(), clock_timestamp())`,
    // Without its payload a list cannot know what stands below a masked path.
    [
      jobId,
      characterId,
      PLANTED.email,
      payload,
      error
        .replace(PLANTED.path, "")
        .replace(PLANTED.inList, "")
        .replace(PLANTED.token, `session_token=${PLANTED.token}`),
    ],
  );
  const item = cleanupItem(
    { session_token: PLANTED.journalToken, vault: { code: PLANTED.path } },
    { character_name: PLANTED.email },
  );
  const journalError = `${PLANTED.journalToken} ${PLANTED.path} ${PLANTED.pattern}`;
  const [journalLetterId = ""] = await dieInJournal(redis, [{ item, error: journalError }]);
  await redis.lpush(JOURNAL_KEYS.pending, entryBytes({ item }));
  return { letterId, jobId, journalLetterId, notJsonId };
}

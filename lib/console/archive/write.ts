import type { Pool } from "pg";
import { storable } from "@/lib/console/requeue/storable";
import { execute, type Sql, transaction } from "@/lib/db/pg";
import type { StoredLetter } from "@/lib/queues/queue";
import { groupRows, type Print } from "./group-rows";
import { writable } from "./instant";
import { makeMonths } from "./months";
import type { Change } from "./next-state";

/** A letter to keep, and what became of it before it was first seen; null: it is dead. */
export type Kept = { letter: StoredLetter; print: Print; change: Change | null };

/** $1 queue · then a list for each column, in the order of `columnsOf`. A letter that is there already stays as it is. */
const INSERT: Sql = {
  name: "archive_letters_insert",
  text: `insert into backstop.dead_letters (queue, letter_id, generation, died_at, job_id, kind, subject_id, subject_name, labels,
      attempts, error, error_bytes, payload, payload_bytes, payload_hash, token_hash, group_id, state, state_at, requeued_at,
      requeued_job_id, requeued_from, next_letter_id)
    select $1, letter_id, generation, died_at, job_id, kind, subject_id, subject_name, labels, attempts, error, error_bytes,
      payload, payload_bytes, decode(payload_hash, 'hex'), decode(token_hash, 'hex'), group_id, state,
      case when state = 'open' then died_at else coalesce(to_timestamp(state_ms / 1000), clock_timestamp()) end,
      to_timestamp(requeued_ms / 1000), requeued_job_id, requeued_from, next_letter_id
    from unnest($2::text[], $3::int[], $4::timestamptz[], $5::text[], $6::text[], $7::text[], $8::text[], $9::jsonb[],
      $10::int[], $11::text[], $12::int[], $13::text[], $14::int[], $15::text[], $16::text[], $17::bigint[], $18::text[],
      $19::float8[], $20::float8[], $21::text[], $22::text[], $23::text[])
      as kept(letter_id, generation, died_at, job_id, kind, subject_id, subject_name, labels, attempts, error, error_bytes,
        payload, payload_bytes, payload_hash, token_hash, group_id, state, state_ms, requeued_ms, requeued_job_id,
        requeued_from, next_letter_id)
    on conflict do nothing`,
};

function columnsOf(kept: readonly Kept[], groupIds: readonly string[]): unknown[][] {
  const letters = kept.map(({ letter }) => letter);
  const changes = kept.map(({ change }) => change);
  return [
    letters.map((letter) => letter.letterId),
    letters.map((letter) => letter.generation),
    letters.map((letter) => letter.diedAt),
    letters.map((letter) => letter.jobId),
    letters.map((letter) => letter.kind),
    letters.map((letter) => letter.subjectId),
    letters.map((letter) => letter.subjectName),
    letters.map((letter) => storable(letter.labels)),
    letters.map((letter) => letter.attempts),
    letters.map((letter) => letter.error),
    letters.map((letter) => letter.errorBytes),
    letters.map((letter) => letter.payload),
    letters.map((letter) => letter.payloadBytes),
    letters.map((letter) => letter.payloadHash),
    letters.map((letter) => letter.tokenHash),
    [...groupIds],
    changes.map((change) => change?.state ?? "open"),
    changes.map((change) => writable(change?.atMs ?? null)),
    changes.map((change) => writable(change?.requeuedMs ?? null)),
    changes.map((change) => change?.requeuedJobId ?? null),
    letters.map((letter) => letter.requeuedFrom),
    changes.map((change) => change?.nextLetterId ?? null),
  ];
}

/**
 * Keeps some letters of one queue, each once however often it is given: its month, its group and its row stand or fall
 * together. Answers how many were new.
 */
export async function writeLetters(own: Pool, queue: string, kept: readonly Kept[]): Promise<number> {
  if (kept.length === 0) return 0;
  await makeMonths(
    own,
    kept.map(({ letter }) => letter.diedAt),
  );
  return transaction(own, async (client) => {
    const groupIds = await groupRows(
      client,
      queue,
      kept.map(({ letter, print, change }) => ({ ...letter, print, open: change === null })),
    );
    return execute(client, INSERT, [queue, ...columnsOf(kept, groupIds)]);
  });
}

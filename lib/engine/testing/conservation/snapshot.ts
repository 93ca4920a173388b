import type { Queryable } from "@/lib/db/pg";

// Everything that is looked at.

const JOBS = `select retry_job_id, md5(payload) as payload_md5, requeued_from, operation_id,
                     coalesce(lost_leases, 0) as lost_leases, attempt_count from persistence_retry_jobs`;
const LETTERS = `select dead_letter_id, retry_job_id, md5(payload) as payload_md5, error, requeued_from, operation_id,
                        requeued_at is not null as requeued, requeued_retry_job_id from persistence_job_dead_letters`;
const OUTCOMES =
  "select retry_job_id, dead_letter_id, operation_id, outcome, next_dead_letter_id from persistence_retry_outcomes";
const KEYS = "select idempotency_key, retry_job_id from persistence_applied_keys";
const OPERATIONS = "select operation_id, dead_letter_id, answer from persistence_retry_operations";
const LEDGER = "select idempotency_key, gold::text from reward_ledger";
const TRANSFERS = "select transfer_id, state from character_transfers";
const CHARACTERS = `
  select c.character_id, c.version::text, c.position_x::text, coalesce(b.gold, 0)::text as gold, a.hair_color,
         e.item_id as main_hand, s.experience::text,
         (select coalesce(sum(i.quantity), 0)::text from reward_items i where i.character_id = c.character_id) as items
    from characters c
    left join reward_balances b on b.character_id = c.character_id
    left join character_appearance a on a.character_id = c.character_id
    left join character_equipment e on e.character_id = c.character_id and e.slot = 'main_hand'
    left join gameplay_state s on s.character_id = c.character_id`;

export type JobRow = {
  retry_job_id: string;
  payload_md5: string;
  requeued_from: string | null;
  operation_id: string | null;
  lost_leases: number;
  attempt_count: number;
};
export type LetterRow = {
  dead_letter_id: string;
  retry_job_id: string;
  payload_md5: string;
  error: string;
  requeued_from: string | null;
  operation_id: string | null;
  requeued: boolean;
  requeued_retry_job_id: string | null;
};
export type OutcomeRow = {
  retry_job_id: string;
  dead_letter_id: string;
  operation_id: string | null;
  outcome: "recovered" | "superseded" | "died_again";
  next_dead_letter_id: string | null;
};
export type OperationRow = {
  operation_id: string;
  dead_letter_id: string;
  answer: { answer: string; retry_job_id?: string | null };
};
export type CharacterRow = {
  character_id: string;
  version: string;
  position_x: string;
  gold: string;
  hair_color: string | null;
  main_hand: string | null;
  experience: string | null;
  items: string;
};

export type Snapshot = {
  jobs: JobRow[];
  letters: LetterRow[];
  outcomes: OutcomeRow[];
  keys: { idempotency_key: string; retry_job_id: string }[];
  operations: OperationRow[];
  ledger: { idempotency_key: string; gold: string }[];
  transfers: { transfer_id: string; state: string }[];
  characters: CharacterRow[];
};

/** The store as the caller's transaction sees it. */
export async function takeSnapshot(db: Queryable): Promise<Snapshot> {
  const rows = async (text: string) => (await db.query(text)).rows;
  return {
    jobs: await rows(JOBS),
    letters: await rows(LETTERS),
    outcomes: await rows(OUTCOMES),
    keys: await rows(KEYS),
    operations: await rows(OPERATIONS),
    ledger: await rows(LEDGER),
    transfers: await rows(TRANSFERS),
    characters: await rows(CHARACTERS),
  };
}

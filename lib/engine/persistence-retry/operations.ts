import type pg from "pg";
import { z } from "zod";
import { execute, many, type Queryable, type Sql } from "@/lib/db/pg";
import { BatchAnswerItem } from "@/lib/internal-rpc/wire";
import type { Expectation } from "./expectation";

const Answered = z.object({ dead_letter_id: z.string(), expect: z.unknown(), answer: BatchAnswerItem });
export type Answered = z.output<typeof Answered>;

// $1 operation
const READ: Sql = {
  name: "operation_answers",
  text: `select dead_letter_id, expect, answer from persistence_retry_operations
          where operation_id = $1 order by answered_at, dead_letter_id`,
};

// $1 operation · $2 actor, and three lists of the same length: $3 dead letters · $4 expects · $5 answers
const RECORD: Sql = {
  name: "operation_record_answers",
  text: `insert into persistence_retry_operations (operation_id, actor, dead_letter_id, expect, answer, answered_at)
         select $1, $2, dead_letter_id, expect::jsonb, answer::jsonb, clock_timestamp()
           from unnest($3::uuid[], $4::text[], $5::text[]) as given(dead_letter_id, expect, answer)`,
};

// $1 operation. Two calls of one operation come one after the other.
const LOCK: Sql = {
  name: "operation_lock",
  text: `select pg_advisory_xact_lock(hashtextextended('backstop.operation.' || $1::text, 0))`,
};

/** The answers of an operation in the order they were given; empty: nothing of it has been committed. */
export async function readOperation(pool: pg.Pool, operationId: string): Promise<BatchAnswerItem[]> {
  return (await listAnswered(pool, operationId)).map((row) => row.answer);
}

export function listAnswered(db: Queryable, operationId: string): Promise<Answered[]> {
  return many(db, READ, Answered, [operationId]);
}

export async function lockOperation(db: Queryable, operationId: string): Promise<void> {
  await execute(db, LOCK, [operationId]);
}

export type Recorded = { expect: Expectation; answer: BatchAnswerItem };

/** Writes answers down, in the transaction that made them true. */
export async function recordAnswers(
  db: Queryable,
  { operationId, actor }: { operationId: string; actor: string },
  records: readonly Recorded[],
): Promise<void> {
  if (records.length === 0) return;
  await execute(db, RECORD, [
    operationId,
    actor,
    records.map(({ answer }) => answer.dead_letter_id),
    records.map(({ expect }) => JSON.stringify(expect)),
    records.map(({ answer }) => JSON.stringify(answer)),
  ]);
}

/** Whether an answer was given for the same expectation. */
export function sameExpectation(recorded: unknown, expect: Expectation): boolean {
  const parsed = z
    .object({ characterVersion: z.string().nullable(), session: z.string().nullable() })
    .safeParse(recorded);
  return (
    parsed.success && parsed.data.characterVersion === expect.characterVersion && parsed.data.session === expect.session
  );
}

import type pg from "pg";
import type { z } from "zod";
import { type Queryable, sqlState } from "@/lib/db/pg";
import { failpoint } from "@/lib/engine/failpoint";
import { boundedTransaction, TooLate } from "@/lib/engine/pg/bounded-transaction";
import type { BatchAnswerItem, BatchItem } from "@/lib/internal-rpc/wire";
import type { Expectation } from "./expectation";
import { type ExpectedSessions, readExpectedSessions, type SessionReader } from "./expected-sessions";
import { listAnswered, lockOperation, type Recorded, recordAnswers, sameExpectation } from "./operations";
import { type RequeueEnding, requeueLetter } from "./requeue-letter";
import { REQUEUE_TIMEOUT_MS } from "./requeue-timeout";
import { storeShape } from "./store-shape";

export type RequeueBatchAsk = {
  operationId: string;
  /** An opaque id of who asked. */
  actor: string;
  items: z.output<typeof BatchItem>[];
  /** Ms since 1970 on the store's clock; the transaction does not begin after it. */
  startByMs?: number;
  /** Absent: no session can be checked, and an expected one is not met. */
  readSessions?: SessionReader | null;
};

export type RequeueBatchEnding =
  | { kind: "answered"; answers: BatchAnswerItem[] }
  /** This pair of operation and letter came before with another expectation. Nothing was done. */
  | { kind: "operation_mismatch"; deadLetterId: string }
  | { kind: "too_late"; serverTime: string };

const DEADLOCK = "40P01";
const LOCK_NOT_AVAILABLE = "55P03";
const NEXT_SAVEPOINT = "release savepoint item; savepoint item";
/** Undoes the item and leaves the savepoint where it is, for the next. */
const BACK_TO_SAVEPOINT = "rollback to savepoint item";
/** The wait for one item's rows; and when the last item may begin. Together they end before the transaction must. */
const ITEM_LOCK = "set local lock_timeout = 2000";
const PACE_MS = REQUEUE_TIMEOUT_MS - 3_000;

/**
 * Requeues many letters as (part of) one operation, in one transaction with a savepoint each; answers in the order of
 * the items, without those whose rows stayed locked or whose turn did not come in time: they may come again in a later
 * call. An item that was answered before gets its recorded answer and nothing is done again.
 * Throws when the store fails: the outcome is then unknown, and `readOperation` tells it.
 */
export async function requeueBatch(pool: pg.Pool, ask: RequeueBatchAsk): Promise<RequeueBatchEnding> {
  const { traces } = await storeShape(pool);
  if (!traces) throw new Error("requeueBatch needs a store that keeps operations.");
  const sessions = await readExpectedSessions(pool, ask.items, ask.readSessions ?? null);
  const bounds = { timeoutMs: REQUEUE_TIMEOUT_MS, startByMs: ask.startByMs };
  const run = () =>
    boundedTransaction(pool, bounds, async (client) => {
      const done = await answerAll(client, ask, sessions);
      await failpoint("requeue.before_commit");
      return done;
    });
  try {
    const answers = await retryDeadlocks(run);
    await failpoint("requeue.after_commit");
    return { kind: "answered", answers };
  } catch (error) {
    if (error instanceof Mismatch) return { kind: "operation_mismatch", deadLetterId: error.deadLetterId };
    if (error instanceof TooLate) return { kind: "too_late", serverTime: error.serverTime };
    throw error;
  }
}

class Mismatch extends Error {
  constructor(readonly deadLetterId: string) {
    super("operation_mismatch");
  }
}

async function answerAll(
  client: Queryable,
  { operationId, actor, items }: RequeueBatchAsk,
  sessions: ExpectedSessions,
) {
  await lockOperation(client, operationId);
  const known = new Map((await listAnswered(client, operationId)).map((row) => [row.dead_letter_id, row]));
  const wanted = new Map<string, Expectation>();
  for (const item of items) {
    const id = item.dead_letter_id.toLowerCase();
    const expect = expectationOf(item);
    const before = known.get(id);
    const twin = wanted.get(id);
    if (before && !sameExpectation(before.expect, expect)) throw new Mismatch(id);
    if (twin && !sameExpectation(twin, expect)) throw new Mismatch(id);
    wanted.set(id, expect);
  }
  const answers = new Map([...known].map(([id, row]) => [id, row.answer]));
  const records: Recorded[] = [];
  const untilMs = performance.now() + PACE_MS;
  await client.query(`${ITEM_LOCK}; savepoint item`);
  // In the order of their ids: two operations that share letters then wait for each other in one direction only.
  for (const [id, expect] of [...wanted].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (answers.has(id)) continue;
    if (performance.now() > untilMs) break;
    const ending = await requeueItem(client, id, operationId, expect, sessions.get(id) ?? null);
    if (ending === null) continue;
    const answer = toAnswer(id, ending);
    records.push({ expect, answer });
    answers.set(id, answer);
  }
  await recordAnswers(client, { operationId, actor }, records);
  return items.map((item) => answers.get(item.dead_letter_id.toLowerCase())).filter((answer) => answer !== undefined);
}

/** Null: a row that it needs was locked for too long. */
async function requeueItem(
  client: Queryable,
  deadLetterId: string,
  operationId: string,
  expect: Expectation,
  session: Expectation["session"],
) {
  try {
    const ending = await requeueLetter(client, { deadLetterId, operationId, expect, session, shape: { traces: true } });
    await client.query(ending.kind === "requeued" ? NEXT_SAVEPOINT : BACK_TO_SAVEPOINT);
    return ending;
  } catch (error) {
    if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error;
    await client.query(BACK_TO_SAVEPOINT);
    return null;
  }
}

function expectationOf({ expect }: z.output<typeof BatchItem>): Expectation {
  return { characterVersion: expect?.character_version ?? null, session: expect?.session ?? null };
}

function toAnswer(dead_letter_id: string, ending: RequeueEnding): BatchAnswerItem {
  switch (ending.kind) {
    case "requeued":
      return { answer: "requeued", dead_letter_id, retry_job_id: ending.retryJobId, at: ending.at };
    case "already_requeued": {
      const { at, retryJobId: retry_job_id, operationId: operation_id, actor } = ending;
      return { answer: "already_requeued", dead_letter_id, at, retry_job_id, operation_id, actor };
    }
    case "changed":
      return { answer: "changed", dead_letter_id, changed: ending.changed };
    case "not_found":
      return { answer: "not_found", dead_letter_id };
    case "undecodable":
      return { answer: "undecodable", dead_letter_id, error: ending.error };
    default:
      return ending satisfies never;
  }
}

/** Letters are locked in order, their characters are not: the one that the server picks starts over, having done nothing. */
async function retryDeadlocks<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (sqlState(error) !== DEADLOCK || tries === 3) throw error;
    }
  }
}

import type { AnyQueue } from "@/lib/engine/durable/redis-work-queue/queue";
import { answerOf, parseRecord, type RequeueAnswer } from "./record";

/** Where an operation's answer for a letter is kept. */
export const operationField = (operationId: string, deadLetterId: string) => `${operationId} ${deadLetterId}`;

const PAGE = 1_000;

/** The answers of an operation in the order they were given; empty: nothing of it has landed. */
export async function readOperation({ redis, keys }: AnyQueue, operationId: string): Promise<RequeueAnswer[]> {
  const span = await redis.hget(keys.operations, `span ${operationId}`);
  if (span === null) return [];
  const [first = "", last = ""] = span.split(" ");
  const prefix = operationField(operationId, "");
  const answers: RequeueAnswer[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const page = await redis.zrangebyscore(keys.operationsAt, first, last, "LIMIT", offset, PAGE);
    const fields = page.filter((field) => field.startsWith(prefix));
    const records = fields.length === 0 ? [] : await redis.hmget(keys.operations, ...fields);
    for (const [n, text] of records.entries()) {
      if (text) answers.push(answerOf(fields[n]?.slice(prefix.length) ?? "", parseRecord(text)));
    }
    if (page.length < PAGE) return answers;
  }
}

import type pg from "pg";
import { transaction } from "@/lib/db/pg";
import type { LetterFacts } from "@/lib/internal-rpc/wire";
import { letterFacts } from "./letter-facts";

/**
 * For each letter what applying it would do now, from the code that would apply it, in the order asked. All are read
 * in one snapshot, in a transaction that Postgres itself keeps from writing.
 */
export function readFacts(pool: pg.Pool, deadLetterIds: readonly string[]): Promise<LetterFacts[]> {
  return transaction(pool, async (client) => {
    await client.query("set transaction isolation level repeatable read, read only");
    const facts: LetterFacts[] = [];
    for (const id of deadLetterIds) facts.push(await letterFacts(client, id));
    return facts;
  });
}

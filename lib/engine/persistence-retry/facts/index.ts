import type pg from "pg";
import { transaction } from "@/lib/db/pg";
import { readClock } from "@/lib/engine/pg/clock";
import type { LetterFacts } from "@/lib/internal-rpc/wire";
import { letterFacts } from "./letter-facts";

/**
 * For each letter what applying it would do now, from the code that would apply it, in the order asked. All are read
 * in one snapshot, in a transaction that Postgres itself keeps from writing. `read_at`: the store's clock.
 */
export function readFacts(
  pool: pg.Pool,
  deadLetterIds: readonly string[],
): Promise<{ read_at: string; facts: LetterFacts[] }> {
  return transaction(pool, async (client) => {
    await client.query("set transaction isolation level repeatable read, read only");
    const read_at = await readClock(client);
    const facts: LetterFacts[] = [];
    for (const id of deadLetterIds) facts.push(await letterFacts(client, id));
    return { read_at, facts };
  });
}

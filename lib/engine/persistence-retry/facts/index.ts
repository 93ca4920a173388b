import type pg from "pg";
import { type Queryable, transaction } from "@/lib/db/pg";
import { readClock } from "@/lib/engine/pg/clock";
import type { LetterFacts, StoreFacts } from "@/lib/internal-rpc/wire";
import { letterFacts, missingFacts } from "./letter-facts";
import { readEvidence, readRecent } from "./read-evidence";
import { readLetters } from "./read-letters";
import { readStoreFacts } from "./store-facts";

/** Letters whose payloads are in memory at a time. */
const CHUNK = 50;

/**
 * For each letter what applying it would do now, from the code that would apply it, in the order asked. All are read
 * in one snapshot, in a transaction that Postgres itself keeps from writing. `read_at`: the store's clock. `store`: how
 * it is set for a connection that writes.
 */
export async function readFacts(
  pool: pg.Pool,
  deadLetterIds: readonly string[],
): Promise<{ read_at: string; facts: LetterFacts[]; store: StoreFacts }> {
  const store = await readStoreFacts(pool);
  return transaction(pool, async (client) => {
    await client.query("set transaction isolation level repeatable read, read only");
    const read_at = await readClock(client);
    const facts: LetterFacts[] = [];
    for (let at = 0; at < deadLetterIds.length; at += CHUNK) {
      facts.push(...(await chunkFacts(client, deadLetterIds.slice(at, at + CHUNK))));
    }
    return { read_at, facts, store };
  });
}

async function chunkFacts(db: Queryable, deadLetterIds: readonly string[]): Promise<LetterFacts[]> {
  const letters = await readLetters(db, deadLetterIds);
  const evidence = await readEvidence(db, letters);
  const recent = await readRecent(db, letters);
  const found = new Map<string, LetterFacts>();
  for (const letter of letters) {
    const proof = evidence.get(letter.deadLetterId);
    if (!proof) throw new Error(`letter ${letter.deadLetterId} has no evidence row`);
    found.set(letter.deadLetterId, await letterFacts(db, letter, proof, recent(letter.jobKind)));
  }
  return deadLetterIds.map((id) => found.get(id.toLowerCase()) ?? missingFacts(id));
}

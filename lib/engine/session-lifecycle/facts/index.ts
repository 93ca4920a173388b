import type pg from "pg";
import { findLetters } from "@/lib/engine/durable/redis-work-queue";
import type { JournalQueue } from "@/lib/engine/session-lifecycle/journal-queue";
import type { SessionStore } from "@/lib/engine/session-lifecycle/sessions/session-store";
import type { JournalFacts } from "@/lib/internal-rpc/journal-wire";
import { letterFacts, missingFacts } from "./letter-facts";
import { readNewer } from "./newer";
import { readRecent } from "./recent";
import { readRequeued } from "./requeued";

export type FactDeps = { queue: JournalQueue; sessions: SessionStore; pool: pg.Pool };

/** For each letter what working it off would do now, in the order asked. Reads only. `read_at`: Redis's clock. */
export async function readJournalFacts(
  deps: FactDeps,
  deadLetterIds: readonly string[],
): Promise<{ read_at: string; facts: JournalFacts[] }> {
  const { queue } = deps;
  const found = await findLetters(queue, deadLetterIds);
  const [{ readAt, recent }, newer, requeued] = await Promise.all([
    readRecent(queue),
    readNewer(queue),
    readRequeued(queue, deadLetterIds),
  ]);
  const facts: JournalFacts[] = [];
  for (const [n, id] of deadLetterIds.entries()) {
    const letter = found.get(id)?.letter;
    const base = { ...missingFacts(id, recent), requeued: requeued[n] ?? null };
    facts.push(letter ? await letterFacts(deps, letter, base, newer) : base);
  }
  return { read_at: readAt, facts };
}

import type { Pool, PoolClient } from "pg";
import { z } from "zod";
import { type Actor, recordAudit } from "@/lib/console/audit/record";
import { many, type Sql, transaction } from "@/lib/db/pg";
import { reasonLacks } from "@/lib/domain/gate";
import { RESOLVE_MAX, type Resolved, type ResolveVerb } from "@/lib/domain/resolve";

export type Decision = { queue: string; letterIds: string[]; reason: string };
export type Decider = { userId: string; actor: Actor; address: string; requestId: string };

// In one order, so that two decisions on the same letters wait for each other and neither is stuck.
const decide = (name: string, from: string, set: string): Sql => ({
  name,
  text: `with mine as (
      select queue, letter_id, generation, died_at from backstop.dead_letters
       where queue = $1 and letter_id = any($2::text[]) and state = '${from}' order by letter_id, generation for update)
    update backstop.dead_letters d set ${set} from mine
     where d.queue = mine.queue and d.letter_id = mine.letter_id and d.generation = mine.generation
       and d.died_at = mine.died_at
    returning d.letter_id`,
});

const STATEMENTS: Record<ResolveVerb, Sql> = {
  /** $1 queue · $2 letter ids · $3 who · $4 why. */
  resolve: decide(
    "archive_resolve",
    "open",
    "state = 'resolved', state_at = clock_timestamp(), resolved_at = clock_timestamp(), resolved_by = $3::uuid, resolved_reason = $4",
  ),
  /** $1 queue · $2 letter ids. Dead since it died, as before. */
  reopen: decide(
    "archive_reopen",
    "resolved",
    "state = 'open', state_at = d.died_at, resolved_at = null, resolved_by = null, resolved_reason = null",
  ),
};

/**
 * Records that nothing is owed for some letters, or that something is after all. The archive's rows alone change, and
 * only those that are still `open` (`resolved`); the letters in their store are not touched. Intent, change and outcome
 * stand or fall together.
 */
export async function decideLetters(own: Pool, verb: ResolveVerb, decision: Decision, by: Decider): Promise<Resolved> {
  const ids = [...new Set(decision.letterIds)];
  const reason = decision.reason.trim();
  const row = {
    action: verb,
    actor: by.actor,
    address: by.address,
    target: { queue: decision.queue, letterIds: ids },
    reason: reason || null,
    requestId: by.requestId,
  };
  const missing = ids.length > RESOLVE_MAX ? `choose at most ${RESOLVE_MAX} letters` : reasonLacks(reason);
  if (missing !== null) {
    const target = { queue: decision.queue, letters: ids.length };
    await recordAudit(own, { ...row, target, phase: "refusal", outcome: "incomplete", detail: { missing } });
    return { kind: "incomplete", missing };
  }
  return transaction(own, async (client) => {
    const changed = await change(client, verb, { ...decision, letterIds: ids, reason }, by.userId);
    // Last: until the transaction ends no other row of the audit can be written.
    await recordAudit(client, { ...row, phase: "intent" });
    const left = ids.filter((id) => !changed.includes(id));
    await recordAudit(client, { ...row, phase: "outcome", outcome: "done", detail: { changed: changed.length, left } });
    return { kind: "done", changed: changed.length, asked: ids.length };
  });
}

async function change(client: PoolClient, verb: ResolveVerb, decision: Decision, userId: string): Promise<string[]> {
  const who = verb === "resolve" ? [userId, decision.reason] : [];
  const values = [decision.queue, decision.letterIds, ...who];
  const rows = await many(client, STATEMENTS[verb], z.object({ letter_id: z.string() }), values);
  return rows.map((row) => row.letter_id);
}

import type { Pool } from "pg";
import type { Who } from "@/lib/auth/role";
import { type AuditRow, recordAudit } from "@/lib/console/audit/record";
import type { Revealed } from "@/lib/domain/dead-letter";
import type { Queue } from "@/lib/queues/queue";

/** How a wish to see what is masked ended. `gone`: the store has the letter no more; the archive keeps none of it. */
export type RevealEnding = { kind: "revealed"; revealed: Revealed } | { kind: "gone" } | { kind: "not_permitted" };

/** Who asks, from where. */
export type RevealBy = { who: Who; address: string; requestId: string };

/**
 * What masks hide of one letter, from its store as it is now, for who has the permission `reveal`. Nothing is read before
 * the intent is in the audit, and nothing is given away before the outcome is: where the audit cannot be written it throws.
 */
export async function revealLetter(
  own: Pool,
  queue: Pick<Queue, "name" | "letters">,
  letterId: string,
  { who, address, requestId }: RevealBy,
): Promise<RevealEnding> {
  const actor = { id: who.userId, name: who.displayName, role: who.role };
  const row = { action: "reveal", actor, target: { queue: queue.name, letterId }, address, requestId };
  const tell = (phase: AuditRow["phase"], outcome: string | null) => recordAudit(own, { ...row, phase, outcome });
  if (!who.reveal) {
    await tell("refusal", "needs_reveal");
    return { kind: "not_permitted" };
  }
  await tell("intent", null);
  let revealed: Revealed | null;
  try {
    revealed = (await queue.letters?.revealLetter(letterId)) ?? null;
  } catch (error) {
    await tell("outcome", "not_read");
    throw error;
  }
  await tell("outcome", revealed === null ? "gone" : "revealed");
  return revealed === null ? { kind: "gone" } : { kind: "revealed", revealed };
}

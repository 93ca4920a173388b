import type { Expect, Finding } from "@/lib/domain/preflight";
import type { JournalFacts } from "@/lib/internal-rpc/journal-wire";
import type { Cleanup } from "@/lib/queues/session-lifecycle/cleanup";
import { PLAN_WORDS } from "@/lib/queues/session-lifecycle/plan-words";

const CODE = "resume_ledger";

/** What the desk knows of the ledger: `untold`: nobody reads it for this desk; `unread`: not just now. */
export type LedgerSeen = NonNullable<JournalFacts["resume_ledger"]> | "unread" | "untold";

/** Whether the plan deletes a resume ledger, whether there is one, and whose. */
export function ledgerFinding(
  said: Cleanup,
  ledger: LedgerSeen,
): { finding: Finding; resumeLedger: Expect["resumeLedger"] } {
  const known = typeof ledger === "string" ? undefined : ledger.present ? ("present" as const) : ("absent" as const);
  return { finding: judged(said, ledger), resumeLedger: known };
}

function judged(said: Cleanup, ledger: LedgerSeen): Finding {
  if (!said.deletesLedger) {
    return { code: CODE, severity: "ok", title: "The plan keeps the resume ledger", evidence: [] };
  }
  const plan = { label: "plan", value: said.plan === null ? "not one that this desk knows" : PLAN_WORDS[said.plan] };
  if (ledger === "untold") {
    return {
      code: CODE,
      severity: "not_configured",
      title: "The plan deletes the resume ledger; whether there is one cannot be told",
      reason: "This game server does not tell it. Nothing to acknowledge.",
      evidence: [plan],
    };
  }
  if (ledger === "unread") {
    return {
      code: CODE,
      severity: "unknown",
      title: "The plan deletes the resume ledger; whether there is one could not be read",
      reason: "The engine did not tell it just now.",
      evidence: [plan],
      whatToDo: "read again. What could not be read just now is gated like a warning.",
      acknowledgement: "A resume ledger may be deleted. I checked otherwise that nobody needs it.",
    };
  }
  if (!ledger.present) {
    return { code: CODE, severity: "ok", title: "There is no resume ledger to delete", evidence: [plan] };
  }
  const other = ledger.character_id !== null && said.characterId !== null && ledger.character_id !== said.characterId;
  const whose = ledger.character_id ?? "not recorded";
  return {
    code: CODE,
    severity: "warn",
    title: other ? "This requeue deletes another character's resume ledger" : "This requeue deletes a resume ledger",
    reason: other
      ? "What stands under this session's token is of another character than the cleanup."
      : "The player could resume with it now, and cannot afterwards.",
    evidence: [
      plan,
      { label: "ledger of", value: whose },
      { label: "cleanup of", value: said.characterId ?? "not recorded" },
    ],
    whatToDo: other ? "find out why before anything is deleted." : "continue only if the player is meant to lose it.",
    acknowledgement: other
      ? "The ledger is of another character. I know why it may be deleted."
      : "The resume ledger will be deleted. The player cannot resume with it.",
  };
}

/** Whether the transfer was confirmed: then the ledger is deleted whatever the plan says, and nothing else is done. */
export function transferFinding({ plan, transferConfirmed }: Cleanup): Finding {
  const code = "transfer_confirmed";
  if (!transferConfirmed) return { code, severity: "ok", title: "No transfer was confirmed", evidence: [] };
  if (plan === "confirmed_transfer") {
    const title = "The transfer was confirmed: only the resume ledger is deleted";
    return { code, severity: "ok", title, evidence: [] };
  }
  return {
    code,
    severity: "warn",
    title: "The transfer was already confirmed",
    reason:
      "The character lives on in another zone's runtime. Whatever the plan says, only the resume ledger is deleted; location and presence are left alone.",
    evidence: [
      { label: "plan", value: plan === null ? "not one that this desk knows" : PLAN_WORDS[plan] },
      { label: "transfer", value: "confirmed" },
    ],
    whatToDo: "make sure that nothing of the plan is still owed to the player.",
    acknowledgement: "The transfer was confirmed. Location and presence will not be written.",
  };
}

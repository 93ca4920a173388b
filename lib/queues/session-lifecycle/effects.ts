import type { Effect } from "@/lib/domain/preflight";
import type { CleanupStep, JournalFacts } from "@/lib/internal-rpc/journal-wire";

const STEPS: Record<CleanupStep["step"], { field: string; does: string }> = {
  persist_resume_ledger: { field: "resume ledger", does: "persisted" },
  delete_resume_ledger: { field: "resume ledger", does: "deleted" },
  persist_location: { field: "location", does: "persisted" },
  refresh_presence: { field: "presence", does: "refreshed" },
};

/** 'What a requeue would do': a line for each step of the plan, and for each field that it would write. */
export function effectsOf(facts: JournalFacts): Effect[] {
  return [...facts.steps.map((step) => stepLine(step, facts)), ...facts.fields.map(fieldLine)];
}

function stepLine({ step, does, why }: CleanupStep, facts: JournalFacts): Effect {
  const { field, does: word } = STEPS[step];
  const now = nowOf(step, facts);
  const base = { field, payload: step.replaceAll("_", " "), now };
  if (does === "skips") return { ...base, after: "left as it is", note: why ?? "skipped", change: "same" };
  const deletes = step === "delete_resume_ledger" && facts.resume_ledger?.present === true;
  return { ...base, after: word, note: why, change: deletes ? "attention" : "writes" };
}

function nowOf(step: CleanupStep["step"], { resume_ledger, presence, fields }: JournalFacts): string {
  switch (step) {
    case "persist_resume_ledger":
    case "delete_resume_ledger":
      return resume_ledger === null ? "not read" : resume_ledger.present ? "present" : "none";
    case "refresh_presence":
      return presence === null ? "not read" : presence.online === "other" ? "in another session" : presence.online;
    case "persist_location":
      // A location that would not be written is compared with nothing.
      return fields.length > 0 ? "field by field below" : "not compared";
    default:
      return step satisfies never;
  }
}

function fieldLine({ field, payload, now, after, change }: JournalFacts["fields"][number]): Effect {
  const base = { field, payload, now: now ?? "none", after: after ?? "none", note: null };
  return change === "same" ? { ...base, note: "no change", change: "same" } : { ...base, change: "writes" };
}

import type { Finding } from "@/lib/domain/preflight";
import type { LedgerFacts, LetterFacts } from "@/lib/internal-rpc/wire";
import { alreadyApplied } from "./applied-finding";
import { newerState, newerWork } from "./newer-findings";
import { references, transferState } from "./reference-findings";

type Job = NonNullable<LetterFacts["job"]>;

/** Each finding that the engine's facts of one active letter give, worst first within its own check. */
export function findingsOf(facts: LetterFacts, readMs: number, ledger: LedgerFacts | null): Finding[] {
  const decoded = decodes(facts);
  if (facts.job === null) return [decoded];
  return [
    decoded,
    alreadyApplied(facts, facts.job, readMs, ledger),
    character(facts, facts.job),
    ...(facts.character ? [newerState(facts, facts.job, facts.character, readMs)] : []),
    newerWork(facts, facts.job),
    ...references(facts),
    ...transferState(facts),
  ];
}

function decodes(facts: LetterFacts): Finding {
  if (facts.decodes?.ok) return { code: "payload_decodes", severity: "ok", title: "Payload decodes", evidence: [] };
  return {
    code: "payload_decodes",
    severity: "block",
    title: "The payload cannot be decoded",
    reason: "The engine refuses to put back what it cannot read. Nothing would be written.",
    evidence: [{ label: "decoder", value: facts.decodes?.ok === false ? facts.decodes.error : "no answer" }],
    whatToDo: "find out what wrote this payload. The saved bytes stay as they are.",
  };
}

function character(facts: LetterFacts, job: Job): Finding {
  const code = "character_exists";
  const asked = { label: "payload", value: `${job.character_id} in ${job.realm_id}` };
  if (facts.character === null) {
    return {
      code,
      severity: "block",
      title: "The character does not exist",
      reason: "There is nothing to write to.",
      evidence: [asked, { label: "now", value: "no such character" }],
      whatToDo: "find out when and why it was deleted before anything else.",
    };
  }
  if (facts.character.realm_id !== job.realm_id) {
    return {
      code,
      severity: "block",
      title: `The character is in ${facts.character.realm_id} now`,
      reason: `This write was saved for ${job.realm_id}. It would reach the character in another realm.`,
      evidence: [asked, { label: "now", value: `${facts.character.name} in ${facts.character.realm_id}` }],
      whatToDo: "find out when the character moved. What it owns now belongs to the other realm.",
    };
  }
  return { code, severity: "ok", title: `${facts.character.name} exists in ${job.realm_id}`, evidence: [] };
}

import type { Finding } from "@/lib/domain/preflight";
import { utcClock, utcFull } from "@/lib/domain/time";
import type { LetterFacts } from "@/lib/internal-rpc/wire";
import { instantMs } from "./instant";
import { newerState, newerWork } from "./newer-findings";
import { references, transferState } from "./reference-findings";

type Job = NonNullable<LetterFacts["job"]>;

/** Each finding that the engine's facts of one active letter give, worst first within its own check. */
export function findingsOf(facts: LetterFacts, readMs: number): Finding[] {
  const decoded = decodes(facts);
  if (facts.job === null) return [decoded];
  return [
    decoded,
    alreadyApplied(facts),
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

function alreadyApplied(facts: LetterFacts): Finding {
  const code = "already_applied";
  if (facts.key_applied === null) return { code, severity: "ok", title: "Idempotency key not applied", evidence: [] };
  return {
    code,
    severity: "block",
    title: `Already applied at ${utcClock(instantMs(facts.key_applied.at))} by another job`,
    reason: "A requeue would write nothing: the same piece of work took effect then.",
    evidence: [
      { label: "key", value: facts.job?.idempotency_key ?? "" },
      { label: "applied", value: utcFull(instantMs(facts.key_applied.at)) },
      { label: "by job", value: facts.key_applied.retry_job_id },
    ],
    whatToDo: "leave it. Nothing is owed to the player.",
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

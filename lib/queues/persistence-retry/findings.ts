import type { Effect, Finding } from "@/lib/domain/preflight";
import { coarseDuration, utcClock } from "@/lib/domain/time";
import type { LetterFacts } from "@/lib/internal-rpc/wire";

/** ISO instants of the wire as ms; `infinity` and what is no time become the ends of what a Date can hold. */
export function instantMs(instant: string): number {
  if (instant === "infinity") return 8.64e15;
  const parsed = Date.parse(instant);
  return Number.isNaN(parsed) ? -8.64e15 : parsed;
}

const short = (id: string) => (id.length > 13 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id);

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
      { label: "applied", value: facts.key_applied.at },
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

type Character = NonNullable<LetterFacts["character"]>;

function newerState(facts: LetterFacts, job: Job, now: Character, readMs: number): Finding {
  const code = "row_changed";
  const writes = BigInt(now.version) - BigInt(job.character_version);
  if (writes <= 0n) return { code, severity: "ok", title: "Character row unchanged since this payload", evidence: [] };
  const changedMs = instantMs(now.changed_at);
  const later = changedMs - instantMs(job.issued_at);
  const changed = facts.fields.filter((field) => field.change !== "same").map((field) => field.field);
  const evidence = [
    { label: "saved", value: `version ${job.character_version} at ${utcClock(instantMs(job.issued_at))}` },
    {
      label: "now",
      value: `version ${now.version} at ${utcClock(changedMs)}, ${coarseDuration(readMs - changedMs)} ago`,
    },
    { label: job.semantics === "additive" ? "adds to" : "differs", value: changed.join(", ") || "nothing" },
  ];
  const many = `${writes} write${writes === 1n ? "" : "s"} landed after the payload was saved.`;
  if (job.semantics === "additive") {
    return {
      code,
      severity: "warn",
      title:
        later > 0
          ? `Character row changed ${coarseDuration(later)} after this payload`
          : "Character row changed after this payload",
      reason: many,
      evidence,
      whatToDo: "check the diff. This kind adds to the balance, so it does not overwrite the newer row.",
      acknowledgement: "The row changed after this payload. I checked the diff.",
    };
  }
  return {
    code,
    severity: "warn",
    title: changed.length > 0 ? "This requeue would overwrite newer data" : "Character row changed after this payload",
    reason: `${many} ${overwritten(facts)}`.trim(),
    evidence,
    whatToDo:
      changed.length > 0
        ? "do not continue unless the player's later progress may be lost."
        : "safe to continue: the newer row already says what the payload says.",
    acknowledgement:
      changed.length > 0
        ? `The newer ${changed.join(", ")} will be lost. I checked the diff.`
        : "The row changed after this payload. I checked the diff.",
  };
}

function overwritten(facts: LetterFacts): string {
  return facts.fields
    .filter((field) => field.change === "sets")
    .slice(0, 3)
    .map((field) => `${field.field} would go from ${field.now ?? "nothing"} back to ${field.payload}.`)
    .join(" ");
}

function newerWork(facts: LetterFacts, job: Job): Finding {
  const code = "newer_work";
  const jobs = facts.newer_jobs.length;
  const letters = facts.newer_letters.length;
  if (jobs + letters === 0) {
    return { code, severity: "ok", title: `No newer ${job.kind} work of this character`, evidence: [] };
  }
  const parts = [
    jobs > 0 ? `${jobs} newer job${jobs === 1 ? "" : "s"} in the queue` : "",
    letters > 0 ? `${letters} newer dead letter${letters === 1 ? "" : "s"}` : "",
  ].filter(Boolean);
  return {
    code,
    severity: "warn",
    title: `${parts.join(" and ")} of the same character and kind`,
    reason:
      job.semantics === "additive"
        ? "Each adds once; their order does not matter to the balance."
        : "Whichever is applied last stays. Put back in the wrong order, the older state wins.",
    evidence: [
      ...facts.newer_jobs.slice(0, 3).map((newer) => ({
        label: `job ${short(newer.retry_job_id)}`,
        value: `queued ${utcClock(instantMs(newer.created_at))}`,
        href: `/retries?subject=${job.character_id}`,
      })),
      ...facts.newer_letters.slice(0, 3).map((newer) => ({
        label: `letter ${short(newer.dead_letter_id)}`,
        value: `died ${utcClock(instantMs(newer.dead_lettered_at))}`,
        href: `/dead-letters/persistence-retry/${newer.dead_letter_id}`,
      })),
    ],
    whatToDo:
      job.semantics === "additive"
        ? "safe to continue."
        : "let the newer work finish, or requeue the oldest letter first.",
    acknowledgement: "Newer work of this character exists. I checked the order.",
  };
}

/** 'What a requeue would do', a line for each field that applying would touch. */
export function effectsOf(facts: LetterFacts): Effect[] {
  const newer =
    facts.job !== null &&
    facts.character !== null &&
    BigInt(facts.character.version) > BigInt(facts.job.character_version);
  const lines = facts.fields.map((field): Effect => {
    const adds = field.change === "adds";
    return {
      field: field.field,
      payload: adds ? `+${field.payload}` : field.payload,
      now: field.now ?? "none",
      after: field.after ?? "none",
      note: field.change === "same" ? "no change" : adds ? `adds ${field.payload}` : null,
      change: field.change === "same" ? "same" : field.change === "sets" && newer ? "harmful" : "changed",
    };
  });
  if (facts.character && facts.job) {
    const after = (BigInt(facts.character.version) + 1n).toString();
    lines.push({
      field: "version",
      payload: facts.job.character_version,
      now: facts.character.version,
      after,
      note: newer ? `${BigInt(facts.character.version) - BigInt(facts.job.character_version)} writes in between` : null,
      change: newer ? "harmful" : "changed",
    });
  }
  return lines;
}

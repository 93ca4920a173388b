import type { Finding } from "@/lib/domain/preflight";
import { coarseDuration, utcClock } from "@/lib/domain/time";
import type { LetterFacts } from "@/lib/internal-rpc/wire";
import { instantMs } from "@/lib/queues/instant";

const short = (id: string) => (id.length > 13 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id);

type Job = NonNullable<LetterFacts["job"]>;
type Character = NonNullable<LetterFacts["character"]>;

/** Whether the character moved on since the payload was saved, and what that means for this kind. */
export function newerState(facts: LetterFacts, job: Job, now: Character, readMs: number): Finding {
  const code = "row_changed";
  const writes = BigInt(now.version) - BigInt(job.character_version);
  if (writes < 0n) {
    return {
      code,
      severity: "warn",
      title: "The payload is ahead of the character's row",
      reason: `It was based on version ${job.character_version}; the row is at ${now.version}. Writes may have been lost, or the row restored from a copy.`,
      evidence: [],
      whatToDo: "find out why before anything is written on top.",
      acknowledgement: "The row is older than this payload. I know why.",
    };
  }
  if (writes === 0n) return { code, severity: "ok", title: "Character row unchanged since this payload", evidence: [] };
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
  if (job.semantics !== "absolute") {
    return {
      code,
      severity: "warn",
      title:
        later > 0
          ? `Character row changed ${coarseDuration(later)} after this payload`
          : "Character row changed after this payload",
      reason: many,
      evidence,
      whatToDo:
        job.semantics === "additive"
          ? "check the diff. This kind adds to the balance, so it does not overwrite the newer row."
          : "check the diff. This kind changes a state only from the one that it expects, and overwrites nothing else.",
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

/** Whether later work of the same character and kind waits or died. */
export function newerWork(facts: LetterFacts, job: Job): Finding {
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
        : job.semantics === "guarded"
          ? "Whichever is applied first changes the state; the others end without effect, or fail."
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

import type { Evidence, Finding } from "@/lib/domain/preflight";
import { utcClock, utcFull } from "@/lib/domain/time";
import type { LedgerFacts, LetterFacts } from "@/lib/internal-rpc/wire";
import { instantMs } from "@/lib/queues/instant";

const CODE = "already_applied";
const DAY_MS = 86_400_000;

/** Whether this piece of work took effect before; for a write that is older than keys are kept, nothing proves that it did not. */
export function alreadyApplied(
  facts: LetterFacts,
  job: NonNullable<LetterFacts["job"]>,
  readMs: number,
  ledger: LedgerFacts | null,
): Finding {
  if (facts.key_applied !== null) return applied(job.idempotency_key, facts.key_applied);
  const reach = ledger === null ? [] : [reachOf(ledger)];
  if (ledger !== null && readMs - instantMs(job.issued_at) > ledger.kept_days * DAY_MS) {
    return {
      code: CODE,
      severity: "warn",
      title: "This write is older than the ledger of applied keys",
      reason: `Keys are kept ${ledger.kept_days} days. Whether this one was applied before that cannot be told.`,
      evidence: [{ label: "issued", value: utcFull(instantMs(job.issued_at)) }, ...reach],
      whatToDo: "check the diff: if the payload's values are there already, leave the letter.",
      acknowledgement: "This write may have been applied before. I checked the diff.",
    };
  }
  return { code: CODE, severity: "ok", title: "Idempotency key not applied", evidence: reach };
}

function applied(key: string, by: NonNullable<LetterFacts["key_applied"]>): Finding {
  return {
    code: CODE,
    severity: "block",
    title: `Already applied at ${utcClock(instantMs(by.at))} by another job`,
    reason: "A requeue would write nothing: the same piece of work took effect then.",
    evidence: [
      { label: "key", value: key },
      { label: "applied", value: utcFull(instantMs(by.at)) },
      { label: "by job", value: by.retry_job_id },
    ],
    whatToDo: "resolve this letter as already applied. Nothing is owed to the player.",
  };
}

function reachOf({ since, kept_days }: LedgerFacts): Evidence {
  const from = since === null ? "it is empty" : `reaches back to ${utcFull(instantMs(since))}`;
  return { label: "ledger", value: `${from}; keys are kept ${kept_days} day${kept_days === 1 ? "" : "s"}` };
}

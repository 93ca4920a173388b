import { groupBy } from "@/lib/domain/group";
import { POISON_ERROR } from "@/lib/engine/persistence-retry/judge-lost-claims";
import type { Book, Work } from "./book";
import type { LetterRow, Snapshot } from "./snapshot";

/** A sentence with the ids in it. */
export type Violation = string;
export type Lives = { violations: Violation[]; live: number; dead: number; done: number };

/**
 * Follows each piece of work through its lives (job, letter, requeued job, letter …): each life has one place, the last
 * of them is one of live, dead and done, no other row exists, and each requeue and its outcome is told as it was.
 */
export function checkLives({ works }: Book, store: Snapshot): Lives {
  const violations: Violation[] = [];
  const jobs = new Map(store.jobs.map((row) => [row.retry_job_id, row]));
  const lettersOf = groupBy(store.letters, (row) => row.retry_job_id);
  const outcomes = new Map(store.outcomes.map((row) => [row.retry_job_id, row]));
  const writtenBy = new Map(store.keys.map((row) => [row.idempotency_key, row.retry_job_id]));
  const activated = new Set(store.transfers.filter((row) => row.state === "active").map((row) => row.transfer_id));
  const reached = { jobs: new Set<string>(), letters: new Set<string>(), outcomes: new Set<string>() };
  const counts = { live: 0, dead: 0, done: 0 };

  /** The work's effect is there: by its key, or the transfer was activated by another. */
  const isWritten = ({ key, kind, mark }: Work) =>
    writtenBy.has(key) || (kind === "transfer_activation" && activated.has(mark));

  function follow(work: Work, id: string, from: LetterRow | null): void {
    const say = (what: string) => violations.push(`${work.kind} ${work.retryJobId}: ${what} (job ${id})`);
    const job = jobs.get(id);
    const letters = lettersOf.get(id) ?? [];
    const [letter] = letters;
    if (job) reached.jobs.add(id);
    for (const each of letters) reached.letters.add(each.dead_letter_id);
    if (letters.length + (job ? 1 : 0) > 1) say(`is in ${letters.length} letters and ${job ? 1 : 0} jobs at once`);
    for (const row of [job, letter]) {
      if (!row) continue;
      if (row.payload_md5 !== work.payloadMd5) say("has other bytes than were queued");
      if (row.requeued_from !== (from?.dead_letter_id ?? null)) say(`says it comes from letter ${row.requeued_from}`);
      if (!work.direct && writtenBy.get(work.key) === id) say("is written, and still there");
    }
    checkOutcome(work, id, from, job ? "live" : (letter ?? "gone"), say);
    if (job) counts.live += 1;
    else if (!letter) {
      if (isWritten(work)) counts.done += 1;
      else if (from !== null || work.told === "durable") say("is nowhere: neither live, nor dead, nor written");
      return;
    }
    if (work.told === "refused") say("was refused, and is there");
    if (!letter) return;
    if ((letter.error === POISON_ERROR) !== work.poison) say(`died of: ${letter.error.slice(0, 120)}`);
    if (!letter.requeued) counts.dead += 1;
    else if (letter.requeued_retry_job_id === null) say(`letter ${letter.dead_letter_id} was requeued into no job`);
    else follow(work, letter.requeued_retry_job_id, letter);
  }

  function checkOutcome(
    work: Work,
    id: string,
    from: LetterRow | null,
    is: "live" | "gone" | LetterRow,
    say: (what: string) => void,
  ): void {
    const outcome = outcomes.get(id);
    if (outcome) reached.outcomes.add(id);
    if (from === null || is === "live") {
      if (outcome) say(`has the outcome ${outcome.outcome}`);
      return;
    }
    const own = writtenBy.get(work.key) === id;
    const due = is === "gone" ? (own ? "recovered" : "superseded") : "died_again";
    if (outcome?.outcome !== due) return void say(`has the outcome ${outcome?.outcome}, and not ${due}`);
    if (outcome.dead_letter_id !== from.dead_letter_id) say("has the outcome of another letter");
    if (is !== "gone" && outcome.next_dead_letter_id !== is.dead_letter_id) say("died again into another letter");
  }

  for (const work of works.values()) follow(work, work.retryJobId, null);
  for (const { retry_job_id: id } of store.jobs) if (!reached.jobs.has(id)) violations.push(`job ${id} is nobody's`);
  for (const { dead_letter_id: id } of store.letters)
    if (!reached.letters.has(id)) violations.push(`letter ${id} is nobody's`);
  for (const id of outcomes.keys()) if (!reached.outcomes.has(id)) violations.push(`outcome of ${id} is nobody's`);
  return { violations, ...counts };
}

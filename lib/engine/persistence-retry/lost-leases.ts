import { log } from "@/lib/engine/log";
import type { Counters } from "./counters";
import { type LostLease, POISON_ERROR } from "./judge-lost-claims";

/** Counts what was judged, and tells it: how many leases, whose, which rows are suspects by now, and which died of it. */
export function tellLostLeases(counters: Counters, lost: readonly LostLease[]): void {
  if (lost.length === 0) return;
  for (const { jobKind } of lost) counters.lostLeases.inc({ kind: jobKind });
  log("leases_lost", { count: lost.length, by: [...new Set(lost.map((row) => row.lostBy))] });
  for (const { retryJobId, jobKind, lostBy, lostLeases, deadLetterId } of lost) {
    const row = { retry_job_id: retryJobId, kind: jobKind, lost_leases: lostLeases, by: lostBy };
    if (deadLetterId !== null) {
      counters.settles.inc({ kind: jobKind, ending: "poison" });
      log("dead_letter", { ...row, dead_letter_id: deadLetterId, error: POISON_ERROR });
    } else if (lostLeases > 0) log("suspect", row);
  }
}

import type { Pool } from "pg";
import { z } from "zod";
import { many, ms, one, type Sql } from "@/lib/db/pg";
import { fingerprint } from "@/lib/domain/fingerprint";
import { groupBy } from "@/lib/domain/group";
import type { Finding } from "@/lib/domain/preflight";
import { type Failing, stillFails } from "@/lib/domain/still-fails";
import { proseDuration } from "@/lib/domain/time";
import {
  COUNTS,
  CountRow,
  FailureRow,
  failuresSql,
  HEALED,
  HealedRow,
  OWN_ERRORS,
  OwnErrorRow,
  WINDOW_MINUTES,
} from "./cause-sql";
import type { Features } from "./features";

const NOW: Sql = { name: "persistence_cause_now", text: `select ${ms("clock_timestamp()")} as at_ms` };

/** For each letter whether writes of its kind still fail with its error: 'did the fix work'. On the store's clock. */
export async function causeFindings(
  pool: Pool,
  features: Features,
  letterIds: string[],
): Promise<Map<string, Finding>> {
  const own = await many(pool, OWN_ERRORS, OwnErrorRow, [letterIds]);
  const kinds = [...new Set(own.map((row) => row.kind))];
  const [failures, healed, counts] = await Promise.all([
    many(pool, failuresSql(features), FailureRow, [kinds]),
    features.attempts && features.outcomes ? many(pool, HEALED, HealedRow) : [],
    features.counts ? many(pool, COUNTS, CountRow, [kinds]) : null,
  ]);
  // After the failures: an age is never below nothing.
  const { at_ms: nowMs } = await one(pool, NOW, z.object({ at_ms: z.number() }));
  const seenOf = seenBy(failures, healed);
  return new Map(
    own.map(({ id, kind, error }) => {
      const tried = counts?.filter((row) => row.kind === kind) ?? null;
      return [id, judged(kind, seenOf(kind, fingerprint(error)), tried, nowMs)];
    }),
  );
}

type Seen = Failing & { writes: number };

/** The failures with one fingerprint, of one kind or of jobs that are gone; null: there was none. */
function seenBy(failures: FailureRow[], healed: z.output<typeof HealedRow>[]) {
  const byPrint = groupBy(
    failures.map((row) => ({ ...row, print: fingerprint(row.error) })),
    (row) => row.print,
  );
  const healedMs = new Map<string, number>();
  for (const row of healed) {
    const print = fingerprint(row.error);
    healedMs.set(print, Math.max(row.last_ms, healedMs.get(print) ?? row.last_ms));
  }
  return (kind: string, print: string): Seen | null => {
    const rows = (byPrint.get(print) ?? []).filter((row) => row.kind === null || row.kind === kind);
    if (rows.length === 0) return null;
    return {
      failures: rows.reduce((total, row) => total + row.failures, 0),
      writes: rows.reduce((total, row) => total + row.writes, 0),
      firstMs: Math.min(...rows.map((row) => row.first_ms)),
      lastMs: Math.max(...rows.map((row) => row.last_ms)),
      healedMs: healedMs.get(print) ?? null,
    };
  };
}

const sum = (rows: CountRow[], of: "done" | "failed") => rows.reduce((total, row) => total + row[of], 0);
const grouped = (count: number) => count.toLocaleString("en-US");
const writes = (count: number) => `${grouped(count)} write${count === 1 ? "" : "s"}`;

function judged(kind: string, seen: Seen | null, counts: CountRow[] | null, nowMs: number): Finding {
  const [done, failed] = counts === null ? [0, 0] : [sum(counts, "done"), sum(counts, "failed")];
  const evidence =
    counts === null
      ? []
      : [
          {
            label: "this kind",
            value: `${grouped(failed)} of ${grouped(done + failed)} attempts failed in the last ${WINDOW_MINUTES} min`,
          },
        ];
  if (seen === null) return noneFailed(done + failed, kind, counts === null, evidence);
  const ago = proseDuration(nowMs - seen.lastMs);
  if (stillFails(seen, nowMs)) {
    return {
      code: "cause_present",
      severity: "warn",
      title: `${writes(seen.writes)} failed with this same error in the last ${WINDOW_MINUTES} min, the last one ${ago} ago`,
      reason: "The cause is probably still there.",
      evidence,
      whatToDo: "wait for the fix and read again, or requeue one letter and follow it before more.",
      acknowledgement: "Writes failed with this error just now. I know that this letter may die again.",
    };
  }
  // Counts are by the minute: those of the minute of the last failure itself may lie before it.
  const later = counts?.filter((row) => row.minute_ms > seen.lastMs) ?? [];
  const since = sum(later, "done");
  return {
    code: "kind_healthy",
    severity: "ok",
    title: `No write has failed with this error for ${ago}${since > 0 ? `; ${grouped(since)} ${kind} write${since === 1 ? "" : "s"} succeeded since` : ""}`,
    ...(seen.healedMs !== null && seen.healedMs > seen.lastMs
      ? { reason: `A write that had failed with it succeeded ${proseDuration(nowMs - seen.healedMs)} ago.` }
      : {}),
    evidence,
  };
}

function noneFailed(tried: number, kind: string, uncounted: boolean, evidence: Finding["evidence"]): Finding {
  const title = `No write has failed with this error in the last ${WINDOW_MINUTES} min`;
  const finding = { code: "kind_healthy", severity: "ok" as const, title };
  if (uncounted) {
    const reason =
      "How many were tried is not known: no counts can be read here. Requeue one letter and follow it before more.";
    return { ...finding, reason, evidence: [] };
  }
  if (tried > 0) return { ...finding, evidence };
  const reason = `No ${kind} write was tried either: requeue one letter and follow it before more.`;
  return { ...finding, reason, evidence: [] };
}

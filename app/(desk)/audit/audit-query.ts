import type { Query } from "@/components/ui/query";
import type { Who } from "@/lib/auth/role";
import { type AuditFilter, AuditPhase } from "@/lib/domain/audit-entry";
import { type DiedRange, readDied, writeDied } from "@/lib/domain/died-range";
import { type Params, paramsReader } from "@/lib/domain/params";
import { decodeTextCursor } from "@/lib/queues/cursor";

/** What the address of the audit asks for, and what of it could not be used. */
export type AuditQuery = {
  time: DiedRange | undefined;
  filter: Pick<AuditFilter, "who" | "action" | "phase" | "target">;
  place: { after: string | undefined; before: string | undefined };
  /** The same as an address again, without what was left out. */
  query: Query;
  notes: string[];
};

/** Reads the address of the audit. */
export function readAuditQuery(params: Params): AuditQuery {
  const read = paramsReader(params);
  const isPlace = (text: string) => /^\d{1,18}$/.test(decodeTextCursor(text)?.[1] ?? "");
  const written = read.text("time");
  const time = (written && readDied(written)) || undefined;
  if (written && !time) {
    read.notes.push(
      "time is not a stretch of time like 24h or 2026-11-14T02:58Z..2026-11-14T03:41Z, so it was left out.",
    );
  }
  const filter = {
    who: read.text("who"),
    action: read.text("action"),
    phase: read.list("phase", AuditPhase.options)[0],
    target: read.text("target"),
  };
  const place = { after: read.place("after", isPlace), before: read.place("before", isPlace) };
  const stretch = time && (time.kind === "last" ? time.text : writeDied(time.fromMs, time.toMs));
  return { time, filter, place, query: { time: stretch, ...filter, ...place }, notes: read.notes };
}

/** The filter by the database's clock (ms since 1970), and within what `who` may see. */
export function auditFilter({ time, filter }: AuditQuery, nowMs: number, who: Who): AuditFilter {
  const within = auditWithin(who);
  if (!time) return { ...filter, within };
  const { fromMs, toMs } = time.kind === "last" ? { fromMs: nowMs - time.ms, toMs: undefined } : time;
  return { ...filter, within, fromMs, toMs };
}

/** Who is limited to queues sees the rows of those, and their own. */
export const auditWithin = ({ queues, userId }: Who): AuditFilter["within"] =>
  queues === null ? undefined : { queues, userId };

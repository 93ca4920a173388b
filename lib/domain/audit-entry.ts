import { z } from "zod";

export const AuditPhase = z.enum(["intent", "outcome", "refusal"]);
export type AuditPhase = z.infer<typeof AuditPhase>;

/** One line of the audit, as it is shown and exported. */
export type AuditEntry = {
  /** Its number: whole, as text. Numbers grow with time, without a gap. */
  id: string;
  /** The database's clock, ms since 1970. */
  atMs: number;
  phase: AuditPhase;
  action: string;
  /** Who did it, under the name and the role that they had then. */
  actor: { id: string; name: string; role: string };
  address: string | null;
  operationId: string | null;
  target: Record<string, unknown>;
  planHash: string | null;
  reason: string | null;
  acknowledged: string[];
  outcome: string | null;
  detail: Record<string, unknown> | null;
  requestId: string | null;
};

/** A part of the audit. */
export type AuditFilter = {
  fromMs?: number | undefined;
  toMs?: number | undefined;
  /** An account's id; `system`; `command_line:` and the name that somebody has on the machine. */
  who?: string | undefined;
  action?: string | undefined;
  phase?: AuditPhase | undefined;
  /** An id that the target names, or an operation's. */
  target?: string | undefined;
  /** What may be seen by somebody who is limited to queues: those queues' rows and their own. */
  within?: { queues: readonly string[]; userId: string } | undefined;
};

/** Who did it, as they were then. `system` has done what no person asked for. */
export type Actor = { id: string; name: string; role: string };

/** One line of the audit. Intent before anything is sent, outcome after, refusal where nothing was done. */
export type AuditRow = {
  phase: "intent" | "outcome" | "refusal";
  /** A verb of the desk: `requeue`, `sign_in`, `set_up`. */
  action: string;
  actor: Actor;
  /** What it was done to, as ids. Never a secret, never a session token. */
  target: Record<string, unknown>;
  address?: string | null;
  operationId?: string | null;
  planHash?: string | null;
  reason?: string | null;
  /** Codes of the findings that the operator acknowledged. */
  acknowledged?: readonly string[];
  outcome?: string | null;
  detail?: Record<string, unknown> | null;
  requestId?: string | null;
};

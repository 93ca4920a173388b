import { z } from "zod";

/** How much a queued write affects the active session. `DisconnectRequired` is reserved: no known origin maps to it. */
export const PersistenceSessionImpact = z.enum(["None", "SessionDegraded", "DisconnectRequired"]);
export type PersistenceSessionImpact = z.infer<typeof PersistenceSessionImpact>;

/** Where a queued write came from; the value is the job's `source` label. */
export const PersistenceOrigin = z.enum([
  "background_location",
  "session_cleanup",
  "session_takeover",
  "client_appearance",
  "client_equipment",
  "gameplay_state",
  "combat_rewards",
  "transfer_activation",
]);
export type PersistenceOrigin = z.infer<typeof PersistenceOrigin>;

/**
 * The one place that decides it; a call site never passes an impact of its own. Background and cleanup work retries
 * without the player noticing; what the player sees or has earned degrades the session while it is pending.
 */
export function sessionImpactOf(origin: PersistenceOrigin): PersistenceSessionImpact {
  switch (origin) {
    case "background_location":
    case "session_cleanup":
      return "None";
    case "session_takeover":
    case "client_appearance":
    case "client_equipment":
    case "gameplay_state":
    case "combat_rewards":
    case "transfer_activation":
      return "SessionDegraded";
    default:
      return origin satisfies never;
  }
}

import type { Role } from "@/lib/auth/role";
import type { Asked } from "@/lib/auth/run-action";
import type { Actor } from "@/lib/console/audit/record";

/** Who asked for something, for its line of the audit. */
export type By = { actor: Actor; address: string | null; requestId: string | null };

/** Who asked for an action, as they are now. */
export function byOf({ who, address, requestId }: Omit<Asked<Role, unknown>, "input">): By {
  return { actor: { id: who.userId, name: who.displayName, role: who.role }, address, requestId };
}

/** From least to most. */
export const ROLES = ["viewer", "operator", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** Whether a role may do what `need` may do. */
export function atLeast(role: Role, need: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(need);
}

/** Who is asking: what their session says now. */
export type Who = {
  userId: string;
  username: string;
  displayName: string;
  role: Role;
  /** May look behind a mask: every admin, and operators to whom it was given. */
  reveal: boolean;
  /** The only queues that they may see and change; null: all of them. */
  queues: readonly string[] | null;
};

/** The same person on a read-only desk, where everyone is a viewer. */
export const asReader = (who: Who): Who => ({ ...who, role: "viewer", reveal: false });

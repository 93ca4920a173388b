/** From least to most. */
export const ROLES = ["viewer", "operator", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** Whether a role may do what `need` may do. */
export function atLeast(role: Role, need: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(need);
}

/** Who is asking: what their session says now. */
export type Who = { userId: string; username: string; displayName: string; role: Role };

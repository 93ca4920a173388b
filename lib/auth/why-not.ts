import type { Role } from "@/lib/auth/role";

const named = (role: Role) => `${role === "viewer" ? "a" : "an"} ${role}`;

/** Why a role is not enough, as a button and a refusal say it. */
export function whyNotRole(role: Role, need: Role): string {
  return `This needs the ${need} role. You are ${named(role)}.`;
}

/** Why somebody who is limited to other queues may not. */
export function whyNotQueue(queue: string): string {
  return `You are limited to other queues than ${queue}.`;
}

/** Why somebody who is limited to some queues may not do what touches all of them. */
export function whyNotEveryQueue(): string {
  return "You are limited to some queues, and this touches all of them.";
}

/** Why somebody may not look behind a mask. */
export function whyNotReveal(): string {
  return "This needs the permission to reveal. An admin gives it.";
}

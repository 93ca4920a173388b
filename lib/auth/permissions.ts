import type { Need } from "@/lib/auth/declared";

/** `reveal`: it needs that permission beside the role. `everyQueue`: not for who is limited to some. */
export type Permission = { does: string; need: Exclude<Need, "anyone">; reveal?: true; everyQueue?: true };

/**
 * What the desk lets people do, by the name of its action, in the words of the page that lists it. A test holds it
 * against the roles that the actions themselves declare, which alone decide.
 */
export const PERMISSIONS: Record<string, Permission> = {
  seal_token: { does: "Find letters by a session token", need: "viewer" },
  change_password: { does: "Change your own password", need: "viewer" },
  token_create: { does: "Make an API token of your own", need: "viewer" },
  token_revoke: { does: "Revoke an API token of your own", need: "viewer" },
  reveal: { does: "Look behind what is masked in a dead letter", need: "operator", reveal: true },
  plan_requeue: { does: "Have a requeue planned", need: "operator" },
  requeue: { does: "Requeue a dead letter", need: "operator" },
  resolve: { does: "Decide that nothing is owed for dead letters", need: "operator" },
  reopen: { does: "Take such a decision back", need: "operator" },
  list_matching: { does: "Select all dead letters that match", need: "operator" },
  note: { does: "Write a note on an error", need: "operator" },
  demo_break: { does: "Break the demo's catalog", need: "operator", everyQueue: true },
  demo_mend: { does: "Mend the demo's catalog", need: "operator", everyQueue: true },
  demo_fault_begin: { does: "Make one of the demo's faults", need: "operator", everyQueue: true },
  demo_fault_end: { does: "End one of the demo's faults", need: "operator", everyQueue: true },
  user_create: { does: "Add a user", need: "admin" },
  user_rights: { does: "Change a user's role, limits and permissions", need: "admin" },
  user_disable: { does: "Disable a user", need: "admin" },
  user_enable: { does: "Enable a user again", need: "admin" },
  user_reset: { does: "Reset a user's password", need: "admin" },
  user_revoke: { does: "End a user's sessions and API tokens", need: "admin" },
};

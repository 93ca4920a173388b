import type { ShownWorld } from "./shown-world";

/** `open`: seen without signing in. */
export type ShownPage = { name: string; path: string; open?: true };

/** Every page of the product, with a state of its own where it has more than one. */
export const PAGES_OF = ({ safe, warned, blocked, poison, recovered, group }: ShownWorld): ShownPage[] => [
  { name: "sign-in", path: "/sign-in", open: true },
  { name: "set-up", path: "/setup", open: true },
  { name: "overview", path: "/" },
  { name: "retries", path: "/retries" },
  { name: "retries-charts", path: "/retries?range=1h" },
  { name: "lists", path: "/lists" },
  { name: "lists-letters", path: "/lists?list=dead_letter" },
  { name: "audit", path: "/audit" },
  { name: "audit-row", path: "/audit/2" },
  { name: "runbook", path: "/runbook" },
  { name: "you", path: "/you" },
  { name: "users", path: "/users" },
  { name: "retries-filtered-empty", path: "/retries?kind=combat_rewards&owner=nobody" },
  { name: "dead-letters", path: "/dead-letters" },
  { name: "dead-letters-all", path: "/dead-letters?state=all" },
  { name: "group", path: `/dead-letters/groups/${group}` },
  { name: "dead-letters-filtered-empty", path: "/dead-letters?q=nothing-says-this" },
  { name: "letter-safe", path: `/dead-letters/persistence-retry/${safe}` },
  { name: "letter-warned", path: `/dead-letters/persistence-retry/${warned}` },
  { name: "letter-blocked", path: `/dead-letters/persistence-retry/${blocked}` },
  { name: "letter-poison", path: `/dead-letters/persistence-retry/${poison}` },
  { name: "letter-recovered", path: `/dead-letters/persistence-retry/${recovered}` },
  { name: "not-found", path: "/dead-letters/persistence-retry/00000000-0000-0000-0000-000000000000" },
];

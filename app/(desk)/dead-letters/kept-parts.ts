import type { ReviewFilter } from "@/app/(desk)/dead-letters/review-query";
import { STATES } from "@/components/ui/state-words";
import { utcFull } from "@/lib/domain/time";

type Kept = {
  /** Its parameter in the address. */
  key: string;
  name: string;
  says: (filter: ReviewFilter) => string;
  /** What its parameter becomes when it is taken away. */
  without: string | null;
};

/** The parts of a filter on letters, in words. Without a state there is a default, so all must be asked for. */
export const KEPT: Record<keyof ReviewFilter, Kept> = {
  states: {
    key: "state",
    name: "state",
    says: ({ states }) => `State is ${(states ?? []).map((state) => STATES[state].word).join(" or ")}`,
    without: "all",
  },
  died: { key: "died", name: "time", says: ({ died }) => saysDied(died), without: null },
  queue: { key: "queue", name: "queue", says: ({ queue }) => `Queue is ${queue}`, without: null },
  kind: { key: "kind", name: "kind", says: ({ kind }) => `Kind is ${kind}`, without: null },
  subject: { key: "subject", name: "character", says: ({ subject }) => `Character is ${subject}`, without: null },
  realm: { key: "realm", name: "realm", says: ({ realm }) => `Realm is ${realm}`, without: null },
  group: { key: "group", name: "error", says: ({ group }) => `Error is no. ${group}`, without: null },
  text: { key: "q", name: "search", says: ({ text }) => `Search for ${text}`, without: null },
  tokenHash: { key: "token", name: "session token", says: () => "Session token is the one given", without: null },
};

function saysDied(died: ReviewFilter["died"]): string {
  if (!died) return "";
  return died.kind === "last"
    ? `Died in the last ${died.text}`
    : `Died ${utcFull(died.fromMs)} to ${utcFull(died.toMs)}`;
}

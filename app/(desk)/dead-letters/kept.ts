import { STATES } from "@/components/ui/state-words";
import type { LetterFilter } from "@/lib/queues/queue";

type Kept = {
  /** Its parameter in the address. */
  key: string;
  name: string;
  says: (filter: LetterFilter) => string;
  /** What its parameter becomes when it is taken away. */
  without: string | null;
};

/** The parts of a filter on letters, in words. Without a state there is a default, so all must be asked for. */
export const KEPT: Record<keyof LetterFilter, Kept> = {
  states: {
    key: "state",
    name: "state",
    says: ({ states }) => `State is ${(states ?? []).map((state) => STATES[state].word).join(" or ")}`,
    without: "all",
  },
  kind: { key: "kind", name: "kind", says: ({ kind }) => `Kind is ${kind}`, without: null },
  subject: { key: "subject", name: "character", says: ({ subject }) => `Character is ${subject}`, without: null },
  realm: { key: "realm", name: "realm", says: ({ realm }) => `Realm is ${realm}`, without: null },
  text: { key: "q", name: "search", says: ({ text }) => `Search for ${text}`, without: null },
};

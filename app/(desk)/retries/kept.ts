import { STATES } from "@/components/ui/state-words";
import { IMPACT_WORDS } from "@/lib/domain/impact-words";
import type { JobFilter } from "@/lib/queues/queue";

type Kept = {
  /** Its parameter in the address. */
  key: string;
  name: string;
  says: (filter: JobFilter) => string;
};

/** The parts of a filter on jobs, in words. */
export const KEPT: Record<keyof JobFilter, Kept> = {
  states: {
    key: "state",
    name: "state",
    says: ({ states }) => `State is ${(states ?? []).map((state) => STATES[state].word).join(" or ")}`,
  },
  kind: { key: "kind", name: "kind", says: ({ kind }) => `Kind is ${kind}` },
  owner: { key: "owner", name: "owner", says: ({ owner }) => `Owner is ${owner}` },
  subject: { key: "subject", name: "character", says: ({ subject }) => `Character is ${subject}` },
  attemptsMin: { key: "attempts", name: "attempts", says: ({ attemptsMin }) => `Attempts ${attemptsMin} or more` },
  impact: {
    key: "impact",
    name: "impact",
    says: ({ impact }) => `Impact is ${impact === undefined ? "" : IMPACT_WORDS[impact]}`,
  },
};

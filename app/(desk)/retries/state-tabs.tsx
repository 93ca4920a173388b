import { hrefWith, type Query } from "@/components/ui/query";
import { type Segment, SegmentedLinks } from "@/components/ui/segmented-links";
import { STATES } from "@/components/ui/state-words";
import type { RetryState } from "@/lib/domain/retry";

const ORDER = ["due", "scheduled", "retrying", "leased", "expired"] as const satisfies readonly RetryState[];

type Props = {
  path: string;
  query: Query;
  /** The states that are shown; empty: all. */
  states: readonly RetryState[];
  counts: Record<RetryState, number> | null;
};

const sum = (counts: Record<RetryState, number>, states: readonly RetryState[]) =>
  states.reduce((total, state) => total + counts[state], 0);

/** The states of the jobs with how many are in each; a link to several of them gets a tab of its own. */
export function StateTabs({ path, query, states, counts }: Props) {
  const segments: Segment[] = [
    {
      label: "All",
      href: hrefWith(path, query, "state", null),
      current: states.length === 0,
      count: counts && sum(counts, ORDER),
    },
    ...ORDER.map((state) => ({
      label: STATES[state].word,
      glyph: STATES[state].glyph,
      href: hrefWith(path, query, "state", state),
      current: states.length === 1 && states[0] === state,
      count: counts?.[state],
    })),
  ];
  if (states.length > 1) {
    segments.push({
      label: states.map((state) => STATES[state].word).join(" or "),
      href: hrefWith(path, query, "state", states.join(",")),
      current: true,
      count: counts && sum(counts, states),
    });
  }
  return <SegmentedLinks label="State" segments={segments} />;
}

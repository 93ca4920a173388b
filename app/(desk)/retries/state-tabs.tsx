import { hrefWith, type Query } from "@/components/ui/query";
import { type Segment, SegmentedLinks } from "@/components/ui/segmented-links";
import { STATES } from "@/components/ui/state-words";
import { sumStates } from "@/lib/console/lists/read-jobs";
import type { RetryState } from "@/lib/domain/retry";
import type { JobCounts } from "@/lib/queues/queue";

const ORDER = ["due", "scheduled", "retrying", "leased", "expired"] as const satisfies readonly RetryState[];

type Props = {
  path: string;
  query: Query;
  /** The states that are shown; empty: all. */
  states: readonly RetryState[];
  counts: JobCounts | null;
};

/** The states of the jobs with how many are in each; a link to several of them gets a tab of its own. */
export function StateTabs({ path, query, states, counts }: Props) {
  const countOf = (of: readonly RetryState[]) => {
    if (counts === null) return {};
    const { count, capped } = sumStates(counts, of);
    return { count, countKind: capped ? ("capped" as const) : ("exact" as const) };
  };
  const segments: Segment[] = [
    {
      label: "All",
      href: hrefWith(path, query, "state", null),
      current: states.length === 0,
      ...countOf(ORDER),
    },
    ...ORDER.map((state) => ({
      label: STATES[state].word,
      glyph: STATES[state].glyph,
      href: hrefWith(path, query, "state", state),
      current: states.length === 1 && states[0] === state,
      ...countOf([state]),
    })),
  ];
  if (states.length > 1) {
    segments.push({
      label: states.map((state) => STATES[state].word).join(" or "),
      href: hrefWith(path, query, "state", states.join(",")),
      current: true,
      ...countOf(states),
    });
  }
  return <SegmentedLinks label="State" segments={segments} />;
}

import { ALL } from "@/app/(desk)/dead-letters/letters-query";
import { hrefWith, type Query } from "@/components/ui/query";
import { type Segment, SegmentedLinks } from "@/components/ui/segmented-links";
import { LetterState } from "@/lib/domain/dead-letter";

/** Everything that was put back, whatever became of it. */
const REQUEUED = LetterState.options.filter((state) => state !== "active").join(",");

type Props = { path: string; query: Query; states: readonly LetterState[] | undefined };

/** The three views that are asked for most: what waits for a decision, what was put back, and all of it. */
export function LetterTabs({ path, query, states }: Props) {
  const chosen = states?.join(",") ?? ALL;
  const tab = (label: string, value: string, current: boolean): Segment => ({
    label,
    href: hrefWith(path, query, "state", value),
    current,
  });
  const segments: Segment[] = [
    { ...tab("Active", "active", chosen === "active"), glyph: "dead" },
    tab("Requeued", REQUEUED, chosen === REQUEUED),
    tab("All", ALL, chosen === ALL),
  ];
  return <SegmentedLinks label="State" segments={segments} />;
}

import { hrefWith, type Query } from "@/components/ui/query";
import { SegmentedLinks } from "@/components/ui/segmented-links";
import type { CappedCount } from "@/lib/queues/queue";

type Props = {
  path: string;
  query: Query;
  view: "error" | "list";
  causes: number | null;
  count: CappedCount | null;
};

/** The same letters by cause, or one by one. */
export function ViewTabs({ path, query, view, causes, count }: Props) {
  return (
    <SegmentedLinks
      label="Group by"
      segments={[
        { label: "By error", href: hrefWith(path, query, "view", "error"), current: view === "error", count: causes },
        {
          label: "List",
          href: hrefWith(path, query, "view", "list"),
          current: view === "list",
          count: count?.count ?? null,
          countKind: count?.capped ? "capped" : "exact",
        },
      ]}
    />
  );
}

import { ArchivedTable } from "@/app/(desk)/dead-letters/archived-table";
import { letterCount } from "@/app/(desk)/dead-letters/review-head";
import { ListSection } from "@/components/queue/list-section";
import { pageLinks } from "@/components/queue/page-links";
import { Button } from "@/components/ui/button";
import { ListCursor } from "@/components/ui/list-cursor";
import { Pager } from "@/components/ui/pager";
import type { Query } from "@/components/ui/query";
import type { ArchivePage } from "@/lib/console/archive/list";
import type { CappedCount } from "@/lib/queues/queue";

type Props = {
  path: string;
  query: Query;
  page: ArchivePage;
  count: CappedCount | null;
  nowMs: number;
  /** Why this person may not decide that nothing is owed for some of them; null: they may. */
  forbidden: string | null;
};

/** The letters of one page, and the ways to the others. Stands in a `SelectionProvider`. */
export function ArchivedList({ path, query, page: { rows, next, previous }, count, nowMs, forbidden }: Props) {
  return (
    <ListSection label="Dead letters, list">
      <ArchivedTable letters={rows} nowMs={nowMs} selectable={forbidden === null} />
      {forbidden === null ? null : (
        <p className="row pad">
          <Button disabledReason={forbidden}>Resolve letters</Button>
          <span className="faint">{forbidden}</span>
        </p>
      )}
      <Pager {...pageLinks({ path, query, rows: rows.length, next, previous, total: letterCount(count) })} />
      <ListCursor />
    </ListSection>
  );
}

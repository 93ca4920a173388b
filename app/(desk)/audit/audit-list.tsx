import type { AuditQuery } from "@/app/(desk)/audit/audit-query";
import { AuditTable } from "@/app/(desk)/audit/audit-table";
import { ListSection } from "@/components/queue/list-section";
import { ListUnread } from "@/components/queue/list-unread";
import { firstPage, pageLinks } from "@/components/queue/page-links";
import { EmptyState, FilteredEmpty } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { ListCursor } from "@/components/ui/list-cursor";
import { Pager } from "@/components/ui/pager";
import type { AuditPage } from "@/lib/console/audit/list";
import type { Reading } from "@/lib/domain/queue";

type Props = { path: string; asked: AuditQuery; page: Reading<AuditPage>; nowMs: number };

/** The rows of this page, or why there are none. */
export function AuditList({ path, asked, page, nowMs }: Props) {
  const { query, place } = asked;
  if (page.kind !== "read") {
    const code = page.kind === "failed" ? page.code : "not_configured";
    return <ListUnread title="The audit could not be read" sentence={page.sentence} code={code} />;
  }
  const { rows, next, previous } = page.value;
  if (rows.length > 0) {
    return (
      <ListSection label="Audit">
        <AuditTable entries={rows} nowMs={nowMs} />
        <Pager {...pageLinks({ path, query, rows: rows.length, next, previous, total: null })} />
        <ListCursor />
      </ListSection>
    );
  }
  if (place.after || place.before) {
    return (
      <EmptyState
        heading="h2"
        title="There are no rows beyond this page"
        actions={<LinkButton href={firstPage(path, query)}>First page</LinkButton>}
      />
    );
  }
  if (Object.values(query).some(Boolean)) {
    return (
      <FilteredEmpty heading="h2" title="Nothing matches" actions={<LinkButton href={path}>Clear all</LinkButton>}>
        Nothing of that kind was done in this time.
      </FilteredEmpty>
    );
  }
  return <EmptyState heading="h2" title="Nothing was done yet" />;
}

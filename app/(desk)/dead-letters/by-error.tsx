import { GroupRow } from "@/app/(desk)/dead-letters/group-row";
import { ListSection } from "@/components/queue/list-section";
import { ListCursor } from "@/components/ui/list-cursor";
import type { Query } from "@/components/ui/query";
import { Table, Th } from "@/components/ui/table";
import type { GroupsView, Span } from "@/lib/console/archive/groups";
import { utcStamp } from "@/lib/domain/time";

type Props = {
  path: string;
  query: Query;
  view: GroupsView;
  /** The database clock of the reading. */
  nowMs: number;
  /** When the view begins; null: it has no beginning. */
  fromMs: number | null;
  /** What the sparklines cover. */
  span: Span;
};

/** The causes of a view, the largest first; each row leads to its group. */
export function ByError({ path, query, view, nowMs, fromMs, span }: Props) {
  const { groups, total, letters, capped } = view;
  const limits = [
    capped ? `Of the newest ${letters.toLocaleString("en-US")} letters.` : "",
    total > groups.length ? `The largest ${groups.length} of ${total.toLocaleString("en-US")} errors.` : "",
  ].filter(Boolean);
  return (
    <ListSection label="Dead letters by error">
      <Table label="Errors" head={<Head span={span} nowMs={nowMs} />}>
        {groups.map((group) => (
          <GroupRow key={group.groupId} path={path} query={query} group={group} nowMs={nowMs} fromMs={fromMs} />
        ))}
      </Table>
      {limits.length > 0 ? <p className="underhead muted">{limits.join(" ")}</p> : null}
      <ListCursor />
    </ListSection>
  );
}

function Head({ span, nowMs }: { span: Span; nowMs: number }) {
  return (
    <>
      <Th>Error, normalised</Th>
      <Th end aria-sort="descending">
        Letters
      </Th>
      <Th className="hide-s">
        {utcStamp(span.fromMs, nowMs)} to {utcStamp(span.toMs, nowMs)}
      </Th>
      <Th end>First seen</Th>
      <Th end>Last seen</Th>
      <Th end>Characters</Th>
      <Th>State now</Th>
    </>
  );
}

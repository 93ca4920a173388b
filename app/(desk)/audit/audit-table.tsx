import Link from "next/link";
import { AuditTargetLink } from "@/app/(desk)/audit/audit-target-link";
import { StateTag } from "@/components/ui/state-tag";
import { Row, Table, Td, Th } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { Typed } from "@/components/ui/typed";
import type { AuditEntry } from "@/lib/domain/audit-entry";
import { auditDetail, auditWho } from "@/lib/domain/audit-words";

type Props = { entries: readonly AuditEntry[]; nowMs: number; label?: string };

/** Rows of the audit; the time of each leads to the row. */
export function AuditTable({ entries, nowMs, label = "Audit entries" }: Props) {
  return (
    <Table label={label} head={HEAD}>
      {entries.map((entry) => (
        <AuditRow key={entry.id} entry={entry} nowMs={nowMs} />
      ))}
    </Table>
  );
}

const HEAD = (
  <>
    <Th>Time</Th>
    <Th>Who</Th>
    <Th>Action</Th>
    <Th>Target</Th>
    <Th>Detail</Th>
    <Th>Reason</Th>
  </>
);

function AuditRow({ entry, nowMs }: { entry: AuditEntry; nowMs: number }) {
  const { id, atMs, actor, action, phase, reason } = entry;
  const detail = auditDetail(entry);
  const who = auditWho(actor);
  return (
    <Row listed>
      <Td className="o2">
        <Link className="num" data-primary href={`/audit/${id}`} prefetch={false}>
          <Time atMs={atMs} nowMs={nowMs} show="clock" />
        </Link>
      </Td>
      <Td name="Who" className={who.system ? "w2 muted" : "w2"}>
        <span data-tip={who.system ? undefined : `${actor.role} then`}>
          <Typed>{who.name}</Typed>
        </span>
      </Td>
      <Td className="mono o1">{action}</Td>
      <Td name="Target" className="w2">
        <AuditTargetLink target={entry.target} />
      </Td>
      <Td name="Detail" className={detail ? "muted full wraps" : "muted full wraps hide-s"}>
        {phase === "refusal" ? (
          <StateTag state="block">
            <Typed>{detail}</Typed>
          </StateTag>
        ) : (
          <Typed>{detail}</Typed>
        )}
      </Td>
      <Td name="Reason" className={reason ? "full wraps" : "full wraps hide-s"}>
        {reason ? <Typed>{reason}</Typed> : <span className="faint">–</span>}
      </Td>
    </Row>
  );
}

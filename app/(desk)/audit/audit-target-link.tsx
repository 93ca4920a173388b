import Link from "next/link";
import { Typed } from "@/components/ui/typed";
import { auditTarget } from "@/lib/domain/audit-words";

/** What a row was done to, and the way there where it has a page. */
export function AuditTargetLink({ target }: { target: Record<string, unknown> }) {
  const told = auditTarget(target);
  if (told === null) return <span className="faint">–</span>;
  const tip = told.whole === told.text ? undefined : told.whole.slice(0, 400);
  if (told.href === null)
    return (
      <span data-tip={tip}>
        <Typed>{told.text}</Typed>
      </span>
    );
  return (
    <Link className="num" href={told.href} prefetch={false} data-tip={tip}>
      <Typed>{told.text}</Typed>
    </Link>
  );
}

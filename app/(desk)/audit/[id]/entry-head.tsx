import { AuditTargetLink } from "@/app/(desk)/audit/audit-target-link";
import { CopyLink } from "@/components/ui/copy-link";
import { Fact } from "@/components/ui/fact";
import { StatePill } from "@/components/ui/state-tag";
import { Time } from "@/components/ui/time";
import { Typed } from "@/components/ui/typed";
import type { AuditEntry } from "@/lib/domain/audit-entry";
import { auditDetail, auditWho } from "@/lib/domain/audit-words";
import { utcFull } from "@/lib/domain/time";

/** Who did what to what, when, from where and why. */
export function EntryHead({ entry, nowMs }: { entry: AuditEntry; nowMs: number }) {
  const { action, phase, actor, address, reason, atMs, operationId } = entry;
  const detail = auditDetail(entry);
  const who = auditWho(actor);
  return (
    <header className="dhead">
      <div className="l1">
        {phase === "refusal" ? <StatePill state="block">Refused</StatePill> : null}
        <h1>
          <bdi>{action}</bdi> by {who.system ? "the system" : <Typed>{who.name}</Typed>}
        </h1>
        <span className="end">
          <CopyLink />
        </span>
      </div>
      <dl className="kv">
        <Fact term="When">
          {utcFull(atMs)} <span className="faint">({<Time atMs={atMs} nowMs={nowMs} />})</span>
        </Fact>
        <Fact term="Phase">{phase}</Fact>
        <Fact term="Role then">{actor.role}</Fact>
        <Fact term="From">{address ?? <None />}</Fact>
        <Fact term="Target">
          <AuditTargetLink target={entry.target} />
        </Fact>
        <Fact term="Detail">{detail ? <Typed>{detail}</Typed> : <None />}</Fact>
        <Fact term="Reason">{reason ? <Typed>{reason}</Typed> : <None />}</Fact>
        {operationId ? (
          <Fact term="Operation">
            <span className="mono">{operationId}</span>
          </Fact>
        ) : null}
      </dl>
    </header>
  );
}

const None = () => <span className="faint">–</span>;

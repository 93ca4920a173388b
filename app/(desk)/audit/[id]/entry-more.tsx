import { Fact } from "@/components/ui/fact";
import type { ChainFacts } from "@/lib/console/audit/find-entry";
import type { AuditEntry } from "@/lib/domain/audit-entry";
import { escapeUnseen } from "@/lib/domain/unseen";

type Props = { entry: AuditEntry; facts: ChainFacts | null };

/** All that the row says, as it is kept, and where it stands in its chain. */
export function EntryMore({ entry, facts }: Props) {
  const { target, acknowledged, outcome, detail, planHash, requestId, actor } = entry;
  const says = { actor, target, acknowledged, outcome, detail, planHash, requestId };
  return (
    <section className="sec" aria-labelledby="kept-h">
      <div className="sechead">
        <h2 id="kept-h">As it is kept</h2>
      </div>
      <pre className="keptrow mono">{escapeUnseen(JSON.stringify(says, null, 2))}</pre>
      <div className="sechead">
        <h2>Its chain</h2>
      </div>
      {facts === null ? (
        <p className="muted">
          This row is of before the chain: the chain's first row vouches for all of those together.
        </p>
      ) : (
        <dl className="kv mono">
          <Fact term="Chain">{facts.chain}</Fact>
          <Fact term="Place">{facts.place}</Fact>
          <Fact term="Hash">{facts.hash}</Fact>
          <Fact term="Hash before it">{facts.previous}</Fact>
          <Fact term="Head">{facts.head ?? "gone"}</Fact>
        </dl>
      )}
    </section>
  );
}

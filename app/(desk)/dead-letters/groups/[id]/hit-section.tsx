import Link from "next/link";
import { shortId } from "@/components/queue/short-id";
import { queryString } from "@/components/ui/query";
import type { Group, Hit } from "@/lib/console/archive/group";

const OF = [
  ["subject", "Characters"],
  ["realm", "Realms"],
  ["zone", "Zones"],
] as const;

type Props = { groupId: string; hit: readonly Hit[]; group: Group };

/** Whom it hit most. */
export function HitSection({ groupId, hit, group }: Props) {
  return (
    <section className="sec grouppart" aria-labelledby="hit-h">
      <div className="sechead">
        <h2 id="hit-h">Whom it hit</h2>
        <span className="sub">
          {group.capped ? "of the newest " : "of "}
          {group.letters.toLocaleString("en-US")} letters
        </span>
      </div>
      <div className="hits">
        {OF.map(([of, name]) => (
          <div key={of}>
            <h3>{name}</h3>
            <Top groupId={groupId} hit={hit.filter((each) => each.of === of)} />
          </div>
        ))}
      </div>
    </section>
  );
}

function Top({ groupId, hit }: { groupId: string; hit: readonly Hit[] }) {
  if (hit.length === 0) return <p className="muted">None is named.</p>;
  return (
    <ol>
      {hit.map(({ of, value, name, letters }) => (
        <li key={value}>
          <span className={of === "subject" && name === null ? "mono" : undefined}>
            {name ?? (of === "subject" ? shortId(value) : value)}
          </span>
          <Count of={of} value={value} groupId={groupId} letters={letters} />
        </li>
      ))}
    </ol>
  );
}

/** Zones have no filter of their own. */
function Count({ of, value, groupId, letters }: { of: Hit["of"]; value: string; groupId: string; letters: number }) {
  const text = letters.toLocaleString("en-US");
  if (of === "zone") return <span>{text}</span>;
  const href = `/dead-letters${queryString({ state: "all", group: groupId, [of]: value, view: "list" })}`;
  return (
    <Link className="num" href={href} prefetch={false}>
      {text}
    </Link>
  );
}

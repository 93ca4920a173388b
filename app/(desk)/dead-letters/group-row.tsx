import Link from "next/link";
import { GroupAgeTag } from "@/app/(desk)/dead-letters/group-age-tag";
import { GroupTitle } from "@/app/(desk)/dead-letters/group-title";
import { SparkBars } from "@/app/(desk)/dead-letters/spark-bars";
import { StateSplit } from "@/app/(desk)/dead-letters/state-split";
import { LiveTime } from "@/components/ui/live-time";
import { countText } from "@/components/ui/number-link";
import { type Query, queryString } from "@/components/ui/query";
import { Row, Td } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { GroupInView } from "@/lib/console/archive/groups";
import { groupAge } from "@/lib/domain/group-age";

type Props = { path: string; query: Query; group: GroupInView; nowMs: number; fromMs: number | null };

/** One cause: its words, how many letters of this view, since when, whom it hit and what became of them. */
export function GroupRow({ path, query, group, nowMs, fromMs }: Props) {
  const { groupId, queue, kind, title, letters, firstMs, lastMs, subjects, counts, bins } = group;
  const list = path + queryString({ ...query, group: groupId, view: "list", after: undefined, before: undefined });
  return (
    <Row listed className="group">
      <Td className="gm full">
        <Link data-primary className="gmsg" href={`/dead-letters/groups/${groupId}`} prefetch={false} data-tip={title}>
          <GroupTitle title={title} />
        </Link>
        <div className="gmeta">
          <code>{kind}</code>
          <span>{queue}</span>
          <GroupAgeTag age={groupAge(group, nowMs, fromMs)} />
        </div>
      </Td>
      <Td end name="Letters">
        <Link className="num big" href={list} prefetch={false}>
          {countText(letters)}
        </Link>
      </Td>
      <Td className="hide-s">
        <SparkBars heights={bins} />
      </Td>
      <Seen name="First" atMs={firstMs} nowMs={nowMs} />
      <Seen name="Last" atMs={lastMs} nowMs={nowMs} />
      <Td end name="Characters">
        <Link className="num" href={`/dead-letters/groups/${groupId}#hit-h`} prefetch={false}>
          {countText(subjects)}
        </Link>
      </Td>
      <Td className="w2 full" name="State">
        <StateSplit counts={counts} />
      </Td>
    </Row>
  );
}

function Seen({ name, atMs, nowMs }: { name: string; atMs: number; nowMs: number }) {
  return (
    <Td end name={name}>
      <Time atMs={atMs} nowMs={nowMs} show="clock" />
      <span className="under">
        <LiveTime atMs={atMs} nowMs={nowMs} />
      </span>
    </Td>
  );
}

import Link from "next/link";
import { GroupAgeTag } from "@/app/(desk)/dead-letters/group-age-tag";
import { GroupTitle } from "@/app/(desk)/dead-letters/group-title";
import { StateSplit } from "@/app/(desk)/dead-letters/state-split";
import { Fact } from "@/components/ui/fact";
import { LiveTime } from "@/components/ui/live-time";
import { cappedText, countText } from "@/components/ui/number-link";
import { Time } from "@/components/ui/time";
import type { Group } from "@/lib/console/archive/group";
import { groupAge } from "@/lib/domain/group-age";

/** The error in words, how many letters died of it, since when, and what became of them. */
export function GroupHead({ group, nowMs }: { group: Group; nowMs: number }) {
  const { groupId, queue, kind, title, letters, capped, subjects, everFirstMs, lastMs, counts } = group;
  return (
    <header className="dhead grouphead">
      <h1 className="gtitle">
        <GroupTitle title={title} />
      </h1>
      <div className="gmeta">
        <code>{kind}</code>
        <span>{queue}</span>
        <GroupAgeTag age={groupAge(group, nowMs, null)} />
      </div>
      <dl className="kv">
        <Fact term="Letters">
          <Link className="num" href={`/dead-letters?state=all&group=${groupId}&view=list`} prefetch={false}>
            {cappedText({ count: letters, capped })}
          </Link>
          {capped ? <span className="faint"> newest counted</span> : null}
        </Fact>
        <Fact term="Characters">{countText(subjects)}</Fact>
        <Fact term="First seen">
          <Seen atMs={everFirstMs} nowMs={nowMs} />
        </Fact>
        <Fact term="Last seen">
          <Seen atMs={lastMs} nowMs={nowMs} />
        </Fact>
        <Fact term="State now">
          <StateSplit counts={counts} />
        </Fact>
      </dl>
    </header>
  );
}

function Seen({ atMs, nowMs }: { atMs: number; nowMs: number }) {
  return (
    <>
      <Time atMs={atMs} nowMs={nowMs} show="clock" />{" "}
      <span className="faint">
        <LiveTime atMs={atMs} nowMs={nowMs} />
      </span>
    </>
  );
}

import Link from "next/link";
import { DepthCount, Untold } from "@/components/queue/depth-count";
import { Glyph } from "@/components/ui/glyph";
import { NotApplicable } from "@/components/ui/number-link";
import { Row, RowTh, Td } from "@/components/ui/table";
import type { QueueOverview } from "@/lib/domain/overview";
import { type Depths, SHAPE_WORDS } from "@/lib/domain/queue";
import { isLate, markOf } from "@/lib/domain/status";
import { duration } from "@/lib/domain/time";

type CellProps = { name: string; queue: QueueOverview; depths: Depths | null };

/** One queue: what it holds now; while its store does not answer, what it held last. */
export function QueueRow({ queue }: { queue: QueueOverview }) {
  const { name, shape, lists, depths: reading } = queue;
  const depths = reading.kind === "read" ? reading.value : (queue.last?.depths ?? null);
  const jobs = (state: string) => (lists.jobs ? `/retries?queue=${name}&state=${state}` : null);
  const cell = { queue, depths };
  return (
    <Row dim={reading.kind === "failed"}>
      <RowTh className="qn full">
        <Glyph name={markOf(queue)} />
        {lists.jobs ? (
          <Link href={`/retries?queue=${name}`} prefetch={false}>
            {name}
          </Link>
        ) : (
          name
        )}
        {reading.kind === "read" ? null : <span className="qb"> {reading.sentence}</span>}
      </RowTh>
      <Td className="qb hide-s" name="Stored in">
        {SHAPE_WORDS[shape]}
      </Td>
      <CountCell {...cell} name="Due" value={depths?.due} href={jobs("due")} />
      <CountCell {...cell} name="Scheduled" value={depths?.scheduled} href={jobs("scheduled")} has={queue.schedules} />
      <CountCell {...cell} name="Retrying" value={depths?.retrying} href={jobs("retrying")} has={queue.schedules} />
      <CountCell
        {...cell}
        name="In flight"
        value={queue.leases ? depths?.leased : depths?.processing}
        href={jobs("leased")}
      />
      <CountCell
        {...cell}
        name="Expired"
        value={depths?.expired}
        href={jobs("expired")}
        has={queue.leases}
        tone="late"
      />
      <CountCell
        {...cell}
        name="Dead"
        value={depths?.dead}
        href={lists.letters ? `/dead-letters?queue=${name}` : null}
        tone="bad"
      />
      <Td end name="Oldest">
        <Oldest depths={depths} href={jobs("due,expired")} sentence={whyNot(queue)} />
      </Td>
    </Row>
  );
}

/** What is not applicable says so once a shape lacks it; what the store has but did not tell is not a zero either. */
function CountCell({
  name,
  queue,
  depths,
  value,
  href,
  has = true,
  tone,
}: CellProps & {
  value: number | null | undefined;
  href: string | null;
  has?: boolean;
  tone?: "bad" | "late";
}) {
  return (
    <Td end name={name}>
      {!has ? (
        <NotApplicable why={`A ${SHAPE_WORDS[queue.shape]} has no such state`} />
      ) : depths === null ? (
        <Untold why={whyNot(queue)} />
      ) : (
        <DepthCount value={value ?? null} href={href} tone={tone} />
      )}
    </Td>
  );
}

function Oldest({ depths, href, sentence }: { depths: Depths | null; href: string | null; sentence: string }) {
  if (depths === null) return <Untold why={sentence} />;
  if (depths.oldestDueMs === null) {
    if (depths.due === 0 && depths.expired === 0) return <DepthCount value={0} href={href} text="none" />;
    return <Untold why="The store does not tell ages here" />;
  }
  const tone = isLate(depths.oldestDueMs) ? "late" : undefined;
  return <DepthCount value={depths.oldestDueMs} href={href} tone={tone} text={duration(depths.oldestDueMs)} />;
}

const whyNot = ({ depths }: QueueOverview) => (depths.kind === "read" ? "This could not be told" : depths.sentence);

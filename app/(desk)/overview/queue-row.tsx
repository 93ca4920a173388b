import Link from "next/link";
import { CountCell, OldestCell } from "@/app/(desk)/overview/depth-cells";
import { FlowCells } from "@/app/(desk)/overview/flow-cells";
import { Glyph } from "@/components/ui/glyph";
import { Row, RowTh, Td } from "@/components/ui/table";
import type { QueueOverview } from "@/lib/domain/overview";
import type { QueueRecent } from "@/lib/domain/recent";
import { SHAPE_WORDS } from "@/lib/domain/shape-words";
import { markOf } from "@/lib/domain/status";

type Props = {
  queue: QueueOverview;
  /** What was sampled of it of late; null: nothing was. */
  recent: QueueRecent | null;
  stale: boolean;
};

/** One queue: what it holds now; while it is not read, what it held last. */
export function QueueRow({ queue, recent, stale }: Props) {
  const { name, shape, lists, leases, schedules, depths: reading } = queue;
  const depths = reading.kind === "read" ? reading.value : (queue.last?.depths ?? null);
  const dim = stale || reading.kind === "failed";
  const cell = { queue, depths, dim };
  const page = lists.jobs ? `/retries?queue=${name}` : lists.entries ? `/lists?queue=${name}` : null;
  // What waits in a list is not told apart by its state: it is the list itself.
  const jobs = (state: string) => (lists.jobs ? `${page}&state=${state}` : page && `${page}&list=pending`);
  const inFlight = lists.jobs ? jobs("leased") : page && `${page}#runtimes`;
  const letters = lists.letters ? `/dead-letters?queue=${name}&state=dead&view=list` : null;
  const held = leases ? depths?.leased : depths?.processing;
  return (
    <Row dim={dim}>
      <RowTh className="qn full">
        <Glyph name={markOf(queue)} />
        {page ? (
          <Link href={page} prefetch={false}>
            {name}
          </Link>
        ) : (
          name
        )}
        {reading.kind === "read" ? null : <span className="qb"> {reading.sentence}</span>}
      </RowTh>
      <Td className="qb hide-s narrow-off" name="Stored in">
        {SHAPE_WORDS[shape]}
      </Td>
      <CountCell {...cell} name="Due" of="due" value={depths?.due} href={jobs("due")} />
      <CountCell
        {...cell}
        name="Scheduled"
        of="scheduled"
        value={depths?.scheduled}
        href={jobs("scheduled")}
        has={schedules}
      />
      <CountCell
        {...cell}
        name="Retrying"
        of="retrying"
        value={depths?.retrying}
        href={jobs("retrying")}
        has={schedules}
      />
      <CountCell {...cell} name="In flight" of={leases ? "leased" : "processing"} value={held} href={inFlight} />
      <CountCell
        {...cell}
        name="Expired"
        of="expired"
        value={depths?.expired}
        href={jobs("expired")}
        has={leases}
        tone="late"
      />
      <CountCell {...cell} name="Dead" of="dead" value={depths?.dead} href={letters} tone="bad" />
      <OldestCell {...cell} href={jobs("due,expired")} />
      <FlowCells recent={recent} href={page} dim={dim} />
    </Row>
  );
}

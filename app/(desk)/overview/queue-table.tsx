"use client";

import { QueueRow } from "@/app/(desk)/overview/queue-row";
import { Table, Th } from "@/components/ui/table";
import type { QueueOverview } from "@/lib/domain/overview";
import type { QueueRecent } from "@/lib/domain/recent";

type Props = {
  queues: readonly QueueOverview[];
  recent: readonly QueueRecent[];
  /** The desk itself does not answer: these are the last values of all. */
  stale: boolean;
};

/** Every queue with its numbers; each number opens the rows behind it. */
export function QueueTable({ queues, recent, stale }: Props) {
  return (
    <section className="sec" aria-labelledby="queues-h">
      <div className="sechead">
        <h2 id="queues-h">Queues</h2>
        <span className="sub hide-m">Every number opens the rows behind it</span>
        <ul className="legend end hide-m">
          <li>
            <span className="sw line c-in" />
            in
          </li>
          <li>
            <span className="sw dash c-out" />
            out, last 30 min
          </li>
        </ul>
      </div>
      <Table labelledBy="queues-h" bleed head={HEAD}>
        {queues.map((queue) => (
          <QueueRow
            key={queue.name}
            queue={queue}
            recent={recent.find(({ name }) => name === queue.name) ?? null}
            stale={stale}
          />
        ))}
      </Table>
    </section>
  );
}

const HEAD = (
  <>
    <Th>Queue</Th>
    <Th className="narrow-off">Stored in</Th>
    <Head tip="Ready to be claimed now">Due</Head>
    <Head tip="Its first time is still to come">Scheduled</Head>
    <Head tip="Failed before, its next time is still to come">Retrying</Head>
    <Head tip="Leased or processing">In flight</Head>
    <Head tip="Lease ended, nobody finished it">Expired</Head>
    <Head tip="Gave up, waits for a decision">Dead</Head>
    <Head tip="Age of the oldest row that may be taken now">Oldest</Head>
    <Head tip="Settled for good is out; in is out and what the rows grew by">In / out per second</Head>
    <Head tip="At the rate of the last 5 minutes">Clears in</Head>
  </>
);

function Head({ tip, children }: { tip: string; children: string }) {
  return (
    <Th end>
      <span data-tip={tip}>{children}</span>
    </Th>
  );
}

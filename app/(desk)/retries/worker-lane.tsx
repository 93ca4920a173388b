import Link from "next/link";
import { Sparkline } from "@/components/charts/sparkline";
import { Glyph } from "@/components/ui/glyph";
import { LeaseBar } from "@/components/ui/lease-bar";
import { NumberLink } from "@/components/ui/number-link";
import { queryString } from "@/components/ui/query";
import { STATES } from "@/components/ui/state-words";
import { markUnseen } from "@/lib/domain/unseen";
import type { Worker } from "@/lib/domain/worker";
import { perMinute, rateText } from "@/lib/domain/worker-rate";
import { sayLosses, sayWorker, WORKER_WORDS } from "@/lib/domain/worker-words";

/** A longer name is no filter that the address takes. */
const NAME_MAX = 200;

type Props = { queue: string; worker: Worker; atMs: number; leaseMs: number };

/** One worker: its state and why, what it holds, what it settles of late, and what it lost. */
export function WorkerLane({ queue, worker, atMs, leaseMs }: Props) {
  const { name, state, leases, counts } = worker;
  const { word, as } = WORKER_WORDS[state];
  const held = leases.live + leases.expired;
  const href = `/retries${queryString({ queue, owner: name })}`;
  const shown = name === "" ? "(no name)" : markUnseen(name);
  const findable = name !== "" && name.length <= NAME_MAX;
  return (
    <section className="wk" aria-label={`Worker ${shown}`}>
      <header>
        <Glyph name={STATES[as].glyph} />
        <code data-tip={shown}>
          {findable ? (
            <Link href={href} prefetch={false}>
              {shown}
            </Link>
          ) : (
            shown
          )}
        </code>
        {findable ? (
          <NumberLink value={held} href={href} tone={leases.expired > 0 ? "late" : undefined} />
        ) : (
          <span className="num">{held}</span>
        )}
      </header>
      {counts ? <Sparkline into={counts.minutes.done} out={counts.minutes.failed} /> : null}
      {counts ? (
        <p>
          <span>
            {rateText(perMinute(counts.minutes.done))} done, {rateText(perMinute(counts.minutes.failed))} failed a
            minute
          </span>
        </p>
      ) : null}
      {leases.firstEndMs === null ? null : (
        <p>
          <span>oldest lease</span>
          <LeaseBar untilMs={leases.firstEndMs} nowMs={atMs} lengthMs={leaseMs} />
        </p>
      )}
      {counts && counts.lostLeases + counts.staleSettles > 0 ? <p className="att">{sayLosses(counts)}</p> : null}
      <p className="why">
        <b>{word}.</b> {sayWorker(worker, atMs)}
      </p>
    </section>
  );
}

"use client";

import Link from "next/link";
import { useState } from "react";
import { JobDetail } from "@/app/(desk)/retries/job-detail";
import { NextAttempt } from "@/app/(desk)/retries/next-attempt";
import { LiveAge } from "@/components/queue/live-age";
import { shortId, shortOwner } from "@/components/queue/short-id";
import { AttemptPips } from "@/components/ui/attempt-pips";
import { useDbText } from "@/components/ui/db-clock";
import { LeaseBar } from "@/components/ui/lease-bar";
import { queryString } from "@/components/ui/query";
import { StateTag } from "@/components/ui/state-tag";
import { Row, Td } from "@/components/ui/table";
import { sayLost } from "@/lib/domain/lost-leases";
import type { RetryJob } from "@/lib/domain/retry";
import { stateAt } from "@/lib/domain/retry-state";

type Props = { queue: string; job: RetryJob; nowMs: number; attemptsMax: number | null; leaseMs: number };

/** One job, its state by the database clock, and below it, once opened, all that the list knows of it. */
export function JobRow({ queue, job, nowMs, attemptsMax, leaseMs }: Props) {
  const [open, setOpen] = useState(false);
  const state = useDbText((ms) => stateAt(job, ms ?? nowMs));
  const { id, kind, subjectId, subjectName, lease, lastError, lostLeases } = job;
  const calm = job.impact === null || job.impact === "None";
  const filtered = (key: string, value: string) => `/retries${queryString({ queue, [key]: value })}`;
  return (
    <>
      <Row listed>
        <Td className="o1">
          <StateTag state={state} />
        </Td>
        <Td className="mono w2" name="Kind">
          <a
            data-primary
            href={`#job-${id}`}
            aria-expanded={open}
            onClick={(event) => {
              event.preventDefault();
              setOpen(!open);
            }}
          >
            {kind}
          </a>
        </Td>
        <Td className="w2" name="Character">
          <Link className="num" href={filtered("subject", subjectId)} prefetch={false}>
            {subjectName ?? shortId(subjectId)}
          </Link>
          {subjectName ? <span className="faint mono cid"> {shortId(subjectId)}</span> : null}
        </Td>
        <Td className="w2" name="Lease">
          {lease ? (
            <LeaseBar untilMs={lease.untilMs} nowMs={nowMs} lengthMs={leaseMs} />
          ) : (
            <span className="faint">free</span>
          )}
        </Td>
        <Td name="Attempts">
          <AttemptPips attempts={job.attempts} limit={attemptsMax} />
        </Td>
        <Td name="Next attempt">
          <NextAttempt state={state} atMs={job.nextAttemptMs} nowMs={nowMs} />
        </Td>
        <Td className={calm ? "muted hide-s" : "muted"} name="Impact">
          {job.impact === null ? (
            <span className="faint">–</span>
          ) : (
            <span data-tip={job.impact}>{impactWord(job.impact)}</span>
          )}
        </Td>
        <Td className="mono muted hide-m hide-s own">
          {lease ? (
            <Link className="num" href={filtered("owner", lease.owner)} prefetch={false} data-tip={lease.owner}>
              {shortOwner(lease.owner)}
            </Link>
          ) : (
            <span className="faint">–</span>
          )}
        </Td>
        <Td className="full fillcell">
          <span className="err1" data-tip={lastError ?? undefined}>
            {lostLeases ? (
              <>
                <StateTag state="warn">{sayLost(lostLeases)}</StateTag>{" "}
              </>
            ) : null}
            {lastError ?? <span className="faint">none yet</span>}
          </span>
        </Td>
        <Td end className="o2" name="Age">
          <LiveAge sinceMs={job.createdMs} nowMs={nowMs} />
        </Td>
      </Row>
      {open ? <JobDetail queue={queue} job={job} state={state} nowMs={nowMs} /> : null}
    </>
  );
}

/** The game server's word without what every one of them says. */
const impactWord = (impact: string) => impact.replace(/^Session(?=.)/, "");

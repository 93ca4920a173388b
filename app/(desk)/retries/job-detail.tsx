import Link from "next/link";
import { RunbookLink } from "@/components/queue/runbook-link";
import { shortId } from "@/components/queue/short-id";
import { CopyId } from "@/components/ui/copy-button";
import { Fact } from "@/components/ui/fact";
import { StateTag } from "@/components/ui/state-tag";
import { STATES } from "@/components/ui/state-words";
import { Time } from "@/components/ui/time";
import { saySuspect } from "@/lib/domain/lost-leases";
import type { RetryJob, RetryState } from "@/lib/domain/retry";
import { entryOfError, STATE_ENTRIES } from "@/lib/domain/runbook";

const COLUMNS = 10;

type Props = { queue: string; job: RetryJob; state: RetryState; nowMs: number };

/** The row under a job: its ids, its times, its lease and its last error as far as the list reads it. */
export function JobDetail({ queue, job, state, nowMs }: Props) {
  const { id, subjectId, realmId, zoneId, lease, requeuedFrom, lastError, impact, lostLeases } = job;
  const cause = lastError === null ? null : entryOfError(lastError);
  return (
    // biome-ignore lint/a11y/noRedundantRoles: rows stack on a phone by changing `display`, and a browser then forgets what they are.
    <tr role="row" id={`job-${id}`} className="jobdetail">
      {/* biome-ignore lint/a11y/noRedundantRoles: as above. */}
      <td role="cell" colSpan={COLUMNS} className="full">
        <dl className="kv">
          <Fact term="State">
            {STATES[state].word} <RunbookLink entry={STATE_ENTRIES[state]} about={STATES[state].word} />
          </Fact>
          <Fact term="Job">
            <CopyId id={id} short={shortId(id)} label="job id" />
          </Fact>
          <Fact term="Character">
            <CopyId id={subjectId} short={shortId(subjectId)} label="character id" />
          </Fact>
          <Fact term="Realm">
            {realmId}
            {zoneId === null ? null : <span className="faint"> zone {zoneId}</span>}
          </Fact>
          <Fact term="Queued">
            <Time atMs={job.createdMs} nowMs={nowMs} show="clock" />
          </Fact>
          <Fact term="Next attempt">
            <Time atMs={job.nextAttemptMs} nowMs={nowMs} show="clock" />
          </Fact>
          {lease ? (
            <Fact term={state === "expired" ? "Lease ended" : "Lease ends"}>
              <Time atMs={lease.untilMs} nowMs={nowMs} show="clock" /> <span className="mono">{lease.owner}</span>
            </Fact>
          ) : null}
          {impact === null ? null : <Fact term="Session impact">{impact}</Fact>}
          {requeuedFrom ? (
            <Fact term="Requeued from">
              <Link className="link mono" href={`/dead-letters/${queue}/${requeuedFrom}`} prefetch={false}>
                {shortId(requeuedFrom)}
              </Link>
            </Fact>
          ) : null}
        </dl>
        {lostLeases ? (
          <p className="suspect">
            <StateTag state="warn">Suspect</StateTag> {saySuspect(lostLeases)}{" "}
            <RunbookLink entry="poison" about="poison" />
          </p>
        ) : null}
        {lastError ? <pre className="code wrap">{lastError}</pre> : null}
        {cause ? <RunbookLink entry={cause} about="this error" /> : null}
      </td>
    </tr>
  );
}

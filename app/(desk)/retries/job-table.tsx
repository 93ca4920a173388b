import { JobRow } from "@/app/(desk)/retries/job-row";
import { Table, Th } from "@/components/ui/table";
import type { RetryJob } from "@/lib/domain/retry";

/** Where the contract has it while the engine does not tell its own: a lease of 30 s. */
export const LEASE_MS = 30_000;

type Props = {
  queue: string;
  jobs: readonly RetryJob[];
  /** The database clock of the reading. */
  nowMs: number;
  limits: { attemptsMax: number; leaseMs: number } | null;
};

/** Jobs, oldest first. */
export function JobTable({ queue, jobs, nowMs, limits }: Props) {
  return (
    <Table label="Retry rows" head={HEAD}>
      {jobs.map((job) => (
        <JobRow
          key={job.id}
          queue={queue}
          job={job}
          nowMs={nowMs}
          attemptsMax={limits?.attemptsMax ?? null}
          leaseMs={limits?.leaseMs ?? LEASE_MS}
        />
      ))}
    </Table>
  );
}

const HEAD = (
  <>
    <Th>State</Th>
    <Th>Kind</Th>
    <Th>Character</Th>
    <Th>Lease</Th>
    <Th>Attempts</Th>
    <Th>Next attempt</Th>
    <Th>Impact</Th>
    <Th className="hide-m own">Owner</Th>
    <Th>Last error</Th>
    <Th end aria-sort="descending">
      Age
    </Th>
  </>
);

import type { Query } from "@/components/ui/query";
import { Impact } from "@/lib/domain/impact";
import { type Params, paramsReader } from "@/lib/domain/params";
import { RetryState } from "@/lib/domain/retry";
import { decodeCursor } from "@/lib/queues/cursor";
import type { JobFilter } from "@/lib/queues/queue";

/** What the address of the list asks for, and what of it could not be used. */
export type JobsQuery = {
  queue: string | undefined;
  filter: JobFilter;
  place: { after: string | undefined; before: string | undefined };
  /** The same as an address again, without what was left out. */
  query: Query;
  notes: string[];
};

/** Reads the address of Retries & leases. */
export function readJobsQuery(params: Params): JobsQuery {
  const read = paramsReader(params);
  const isPlace = (text: string) => decodeCursor(text) !== null;
  const queue = read.text("queue");
  const states = read.list("state", RetryState.options);
  const filter: JobFilter = {
    states: states.length > 0 ? states : undefined,
    kind: read.text("kind"),
    owner: read.text("owner"),
    subject: read.uuid("subject", "character"),
    attemptsMin: read.count("attempts", 1, 1_000),
    impact: read.list("impact", Impact.options)[0],
  };
  const place = { after: read.place("after", isPlace), before: read.place("before", isPlace) };
  const query = {
    queue,
    state: states.join(",") || undefined,
    kind: filter.kind,
    owner: filter.owner,
    attempts: filter.attemptsMin?.toString(),
    subject: filter.subject,
    impact: filter.impact,
    ...place,
  };
  return { queue, filter, place, query, notes: read.notes };
}

import { JobTable } from "@/app/(desk)/retries/job-table";
import { JobsEmpty } from "@/app/(desk)/retries/jobs-empty";
import { jobsTotal } from "@/app/(desk)/retries/jobs-head";
import type { JobsQuery } from "@/app/(desk)/retries/jobs-query";
import { ListSection } from "@/components/queue/list-section";
import { ListUnread } from "@/components/queue/list-unread";
import { pageLinks } from "@/components/queue/page-links";
import { ListCursor } from "@/components/ui/list-cursor";
import { cappedText } from "@/components/ui/number-link";
import { Pager } from "@/components/ui/pager";
import type { JobsView } from "@/lib/console/lists/read-jobs";

type Props = { path: string; queue: string; asked: JobsQuery; view: JobsView };

/** The rows of this page, or why there are none. */
export function JobList({ path, queue, asked, view }: Props) {
  const { page, counts, limits, widened } = view;
  const { query, filter } = asked;
  if (page.kind !== "read") {
    const code = page.kind === "failed" ? page.code : "not_configured";
    return <ListUnread title="The rows could not be read" sentence={page.sentence} code={code} />;
  }
  const { rows, next, previous, atMs } = page.value;
  if (rows.length === 0) return <JobsEmpty path={path} queue={queue} query={query} filter={filter} widened={widened} />;
  const total = jobsTotal({ counts, states: filter.states ?? [] });
  const shown = total && cappedText(total);
  return (
    <ListSection label="Retry rows">
      <JobTable queue={queue} jobs={rows} nowMs={atMs} limits={limits} />
      <Pager {...pageLinks({ path, query, rows: rows.length, next, previous, total: shown })} />
      <ListCursor />
    </ListSection>
  );
}

import { KEPT } from "@/app/(desk)/retries/kept";
import { NothingMatches } from "@/components/queue/nothing-matches";
import { firstPage } from "@/components/queue/page-links";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { hrefWith, type Query } from "@/components/ui/query";
import type { JobsView } from "@/lib/console/lists/read-jobs";
import type { JobFilter } from "@/lib/queues/queue";

type Props = { path: string; queue: string; query: Query; filter: JobFilter; widened: JobsView["widened"] };

/** No rows: because all is well, because the filter keeps them out, or because this page's rows went on. */
export function JobsEmpty({ path, queue, query, filter, widened }: Props) {
  if (query.after || query.before) {
    return (
      <EmptyState
        heading="h2"
        title="The rows of this page have gone on"
        actions={<LinkButton href={firstPage(path, query)}>First page</LinkButton>}
      >
        They were written, tried again or became dead letters since the link to this page was made.
      </EmptyState>
    );
  }
  const parts = widened.map(({ without, count, capped }) => {
    const { key, name, says } = KEPT[without];
    return { key, name, says: says(filter), count, capped, href: hrefWith(path, query, key, null) };
  });
  if (parts.length > 0) return <NothingMatches parts={parts} clearHref={path} />;
  return (
    <EmptyState good heading="h2" title="No write waits to be tried again">
      Every write of {queue} went through, or is a dead letter.
    </EmptyState>
  );
}

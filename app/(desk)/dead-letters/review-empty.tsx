import { KEPT } from "@/app/(desk)/dead-letters/kept-parts";
import type { ReviewFilter, ReviewQuery } from "@/app/(desk)/dead-letters/review-query";
import { NothingMatches } from "@/components/queue/nothing-matches";
import { firstPage } from "@/components/queue/page-links";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { hrefWith } from "@/components/ui/query";
import type { Widened } from "@/lib/console/lists/widenings";

type Props = {
  path: string;
  asked: ReviewQuery;
  widened: readonly Widened<ReviewFilter>[];
  /** The archive lacks no letter, as far as is known: only then is none a good sign. */
  whole: boolean;
};

/** No letters: because none waits, because the filter keeps them out, or because this page's letters left it. */
export function ReviewEmpty({ path, asked: { query, filter }, widened, whole }: Props) {
  if (query.after || query.before) {
    return (
      <EmptyState
        heading="h2"
        title="The letters of this page have left it"
        actions={<LinkButton href={firstPage(path, query)}>First page</LinkButton>}
      >
        They were requeued since the link to this page was made, or are of another state now.
      </EmptyState>
    );
  }
  const only = widened.every(({ without }) => without === "states") && filter.states?.join() === "open";
  if (only) return <NoneOpen others={widened[0]?.count ?? 0} whole={whole} />;
  const parts = widened.map(({ without, count, capped }) => {
    const { key, name, says, without: value } = KEPT[without];
    return { key, name, says: says(filter), count, capped, href: hrefWith(path, query, key, value) };
  });
  if (parts.length > 0) return <NothingMatches parts={parts} clearHref={path} />;
  if (!whole)
    return (
      <EmptyState heading="h2" title="No dead letters archived yet">
        {BEHIND}
      </EmptyState>
    );
  return (
    <EmptyState good heading="h2" title="No dead letters">
      Nothing has ever used up its attempts here.
    </EmptyState>
  );
}

const BEHIND = "The archive is behind its queues, as the note above says. The Overview counts what waits.";

function NoneOpen({ others, whole }: { others: number; whole: boolean }) {
  return (
    <EmptyState
      heading="h2"
      good={whole}
      title={whole ? "No open dead letters" : "No open dead letters in the archive"}
      actions={others > 0 ? <LinkButton href="/dead-letters?state=all">Show all that ever died</LinkButton> : null}
    >
      {whole ? "Nothing waits for a decision." : BEHIND}
    </EmptyState>
  );
}

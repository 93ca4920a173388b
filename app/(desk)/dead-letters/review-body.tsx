import { ArchivedList } from "@/app/(desk)/dead-letters/archived-list";
import { ByError } from "@/app/(desk)/dead-letters/by-error";
import { ReviewEmpty } from "@/app/(desk)/dead-letters/review-empty";
import type { ReviewFilter, ReviewQuery } from "@/app/(desk)/dead-letters/review-query";
import { SelectionProvider } from "@/app/(desk)/dead-letters/selection";
import { SelectionBar } from "@/app/(desk)/dead-letters/selection-bar";
import { ListUnread } from "@/components/queue/list-unread";
import { queryString } from "@/components/ui/query";
import type { Span } from "@/lib/console/archive/groups";
import type { Review } from "@/lib/console/archive/read-review";
import type { Widened } from "@/lib/console/lists/widenings";

type Props = {
  path: string;
  asked: ReviewQuery;
  review: Review;
  widened: readonly Widened<ReviewFilter>[];
  /** The archive lacks no letter, as far as is known. */
  whole: boolean;
  nowMs: number;
  /** When the view begins; null: it has no beginning. */
  fromMs: number | null;
  span: Span;
  /** Why this person may not decide that nothing is owed for some of them; null: they may. */
  forbidden: string | null;
};

/** The letters by cause or one by one, or why there are none. */
export function ReviewBody({ path, asked, review, widened, whole, nowMs, fromMs, span, forbidden }: Props) {
  const reading = review.page ?? review.groups;
  if (reading === null) return null;
  if (reading.kind !== "read") {
    const code = reading.kind === "failed" ? reading.code : "not_configured";
    return <ListUnread title="The archive of dead letters could not be read" sentence={reading.sentence} code={code} />;
  }
  const { query } = asked;
  const { value } = reading;
  if ("rows" in value) {
    const address = queryString(query);
    return (
      <SelectionProvider key={address}>
        {value.rows.length === 0 ? (
          <ReviewEmpty {...{ path, asked, widened, whole }} />
        ) : (
          <ArchivedList {...{ path, query, nowMs, forbidden }} page={value} count={review.count} />
        )}
        {/* Also where its own decision has emptied the list: it says how that ended. */}
        {forbidden === null ? <SelectionBar query={address} /> : null}
      </SelectionProvider>
    );
  }
  if (value.groups.length === 0) return <ReviewEmpty {...{ path, asked, widened, whole }} />;
  return <ByError path={path} query={query} view={value} nowMs={nowMs} fromMs={fromMs} span={span} />;
}

import type { ListsQuery } from "@/app/(desk)/lists/lists-query";
import { newestFirst, windowPages } from "@/app/(desk)/lists/window-pages";
import { WindowTable } from "@/app/(desk)/lists/window-table";
import { ListSection } from "@/components/queue/list-section";
import { ReadAgain } from "@/components/queue/read-again";
import { ReadWhenBack } from "@/components/queue/read-when-back";
import { RunbookLink } from "@/components/queue/runbook-link";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorPanel } from "@/components/ui/error-panel";
import { ListCursor } from "@/components/ui/list-cursor";
import { Pager } from "@/components/ui/pager";
import type { ListWindow } from "@/lib/domain/list-state";
import { LIST_WORDS } from "@/lib/domain/list-words";
import type { Reading } from "@/lib/domain/queue";

type Props = { path: string; queue: string; asked: ListsQuery; reading: Reading<ListWindow> };

/** The entries of this window, or why there are none. */
export function ListWindowSection({ path, queue, asked, reading }: Props) {
  const { list, at, query } = asked;
  if (reading.kind !== "read") {
    return (
      <ErrorPanel
        heading="h2"
        title="The list could not be read"
        code={reading.kind === "failed" ? reading.code : "not_configured"}
        actions={<ReadAgain label="Try again" />}
      >
        {reading.sentence} What stands in it is untouched.
        {reading.kind === "failed" ? (
          <>
            {" "}
            <RunbookLink entry="redis-away" about="what to do" />
            <ReadWhenBack />
          </>
        ) : null}
      </ErrorPanel>
    );
  }
  const { entries, atMs, cut, length } = reading.value;
  if (length === 0) {
    return (
      <EmptyState good heading="h2" title="The list is empty">
        There are no {LIST_WORDS[list].of}.
      </EmptyState>
    );
  }
  const shown = newestFirst(list) ? entries.toReversed() : entries;
  return (
    <ListSection label={LIST_WORDS[list].word}>
      {shown.length > 0 ? <WindowTable queue={queue} list={list} entries={shown} atMs={atMs} /> : null}
      {cut ? (
        <p className="underhead muted">What follows is too large to be read with these: it has a page of its own.</p>
      ) : null}
      <Pager {...windowPages({ path, query, list, at, window: reading.value })} />
      <ListCursor />
    </ListSection>
  );
}

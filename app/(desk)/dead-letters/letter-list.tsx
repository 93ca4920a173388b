import { LetterTable } from "@/app/(desk)/dead-letters/letter-table";
import { LettersEmpty } from "@/app/(desk)/dead-letters/letters-empty";
import { letterCount } from "@/app/(desk)/dead-letters/letters-head";
import type { LettersQuery } from "@/app/(desk)/dead-letters/letters-query";
import { ListSection } from "@/components/queue/list-section";
import { ListUnread } from "@/components/queue/list-unread";
import { pageLinks } from "@/components/queue/page-links";
import { ListCursor } from "@/components/ui/list-cursor";
import { Pager } from "@/components/ui/pager";
import type { LettersView } from "@/lib/console/lists/read-letters";

type Props = { path: string; queue: string; asked: LettersQuery; view: LettersView };

/** The letters of this page, or why there are none. */
export function LetterList({ path, queue, asked, view: { page, count, widened } }: Props) {
  const { query, filter } = asked;
  if (page.kind !== "read") {
    const code = page.kind === "failed" ? page.code : "not_configured";
    return <ListUnread title="The letters could not be read" sentence={page.sentence} code={code} />;
  }
  const { rows, next, previous, atMs } = page.value;
  if (rows.length === 0) {
    return <LettersEmpty path={path} queue={queue} query={query} filter={filter} widened={widened} />;
  }
  return (
    <ListSection label="Dead letters, list">
      <LetterTable letters={rows} nowMs={atMs} />
      <Pager {...pageLinks({ path, query, rows: rows.length, next, previous, total: letterCount(count) })} />
      <ListCursor />
    </ListSection>
  );
}

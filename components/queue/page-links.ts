import { type Query, queryString } from "@/components/ui/query";

/** Addresses of the pages around one, by cursor; null where there is none. */
export type PageLinks = { first: string | null; previous: string | null; next: string | null; label: string };

type Given = {
  path: string;
  query: Query;
  rows: number;
  next: string | null;
  previous: string | null;
  /** `1,284`, as it is written; null: not told. */
  total: string | null;
};

/** The address of a list's first page, under the same filter. */
export function firstPage(path: string, query: Query): string {
  return path + queryString({ ...query, after: undefined, before: undefined });
}

/** The pages around one page of a list. Its place is known on the first alone: rows come and go before the others. */
export function pageLinks({ path, query, rows, next, previous, total }: Given): PageLinks {
  const at = (place: Query) => path + queryString({ ...query, after: undefined, before: undefined, ...place });
  const first = previous === null ? null : firstPage(path, query);
  const of = total === null ? "" : ` of ${total}`;
  return {
    first,
    previous: previous && at({ before: previous }),
    next: next && at({ after: next }),
    label: first === null && rows > 0 ? `1 to ${rows}${of}` : `${rows} row${rows === 1 ? "" : "s"}${of}`,
  };
}

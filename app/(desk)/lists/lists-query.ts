import type { Query } from "@/components/ui/query";
import { ListName } from "@/lib/domain/list-state";
import { type Params, paramsReader } from "@/lib/domain/params";

/** What the address of the lists asks for, and what of it could not be used. */
export type ListsQuery = {
  queue: string | undefined;
  list: ListName;
  /** Whose processing list; null: that of writers that do not name their runtime. */
  runtime: string | null;
  /** The first place, counted from the end that is taken from; null: the list's usual beginning. */
  at: number | null;
  /** The same as an address again, without what was left out. */
  query: Query;
  notes: string[];
};

const PLACE_MAX = 999_999_999;

/** Reads the address of Redis lists. */
export function readListsQuery(params: Params): ListsQuery {
  const read = paramsReader(params);
  const queue = read.text("queue");
  const [asked] = read.list("list", ListName.options);
  const list = asked ?? "pending";
  const runtime = list === "processing" ? (read.text("runtime") ?? null) : null;
  const at = read.count("at", 0, PLACE_MAX) ?? null;
  const query = { queue, list: asked, runtime: runtime ?? undefined, at: at?.toString() };
  return { queue, list, runtime, at, query, notes: read.notes };
}

import { type Query, queryString } from "@/components/ui/query";
import type { ListName, ListWindow } from "@/lib/domain/list-state";

/** Places in one window. */
export const WINDOW = 100;

/** Dead letters are read from the newest on; everything else from what is taken first. */
export const newestFirst = (list: ListName): boolean => list === "dead_letter";

type Given = { path: string; query: Query; list: ListName; at: number | null; window: ListWindow };

/**
 * The windows around one: by place, counted from the end that is taken from, so that what is put in moves none of them.
 */
export function windowPages({ path, query, list, at, window }: Given) {
  const { entries, length } = window;
  const places = entries.map(({ place }) => place);
  const low = places.length > 0 ? Math.min(...places) : (at ?? 0);
  const high = places.length > 0 ? Math.max(...places) : low;
  const to = (place: number | undefined) => path + queryString({ ...query, at: place?.toString() });
  const older = low > 0 ? to(Math.max(0, low - WINDOW)) : null;
  const newer = high + 1 < length ? to(high + 1) : null;
  const numbers = (place: number) => (place + 1).toLocaleString("en-US");
  const label =
    places.length === 0
      ? `none of ${length.toLocaleString("en-US")} here`
      : `${numbers(low)} to ${numbers(high)} of ${length.toLocaleString("en-US")}, counted from the oldest`;
  const first = at === null ? null : to(undefined);
  return newestFirst(list)
    ? { first, previous: newer, next: older, label }
    : { first, previous: older, next: newer, label };
}

import { z } from "zod";

/** A place between two rows: the sort value at full precision as the database writes it, and the row's id. */
const At = z.string().regex(/^(-?infinity|[-+0-9:. ]{10,40}( BC)?)$/);
const Cursor = z.tuple([At, z.guid()]);
export type Cursor = z.infer<typeof Cursor>;
/** As `Cursor`, in a list of many queues: each has its own form of an id. */
const TextCursor = z.tuple([At, z.string().min(1).max(100)]);

export function encodeCursor(at: string, id: string): string {
  return Buffer.from(JSON.stringify([at, id])).toString("base64url");
}

/** The place that a cursor names; null for anything that is not one (a link cut in the middle, a guess). */
export function decodeCursor(text: string | undefined): Cursor | null {
  return decode(text, Cursor);
}

/** As `decodeCursor`, for a list of many queues. */
export function decodeTextCursor(text: string | undefined): Cursor | null {
  return decode(text, TextCursor);
}

function decode(text: string | undefined, cursor: z.ZodType<Cursor>): Cursor | null {
  if (!text || text.length > 300) return null;
  try {
    return cursor.parse(JSON.parse(Buffer.from(text, "base64url").toString("utf8")));
  } catch {
    return null;
  }
}

export type Keyed = { cursorAt: string; id: string };

/**
 * Turns `limit + 1` rows of a keyset query into a page. `backwards`: the query ran against the order, from a `before`
 * cursor. The extra row only tells that there is more.
 */
export function pageOf<T extends Keyed>(
  found: T[],
  limit: number,
  asked: { backwards: boolean; fromCursor: boolean },
): { rows: T[]; next: string | null; previous: string | null } {
  const more = found.length > limit;
  const rows = found.slice(0, limit);
  if (asked.backwards) rows.reverse();
  const first = rows[0];
  const last = rows.at(-1);
  const hasNext = asked.backwards || more;
  const hasPrevious = asked.backwards ? more : asked.fromCursor;
  return {
    rows,
    next: hasNext && last ? encodeCursor(last.cursorAt, last.id) : null,
    previous: hasPrevious && first ? encodeCursor(first.cursorAt, first.id) : null,
  };
}

import type { Query } from "@/components/ui/query";
import { LetterState } from "@/lib/domain/dead-letter";
import { type Params, paramsReader } from "@/lib/domain/params";
import { decodeCursor } from "@/lib/queues/cursor";
import type { LetterFilter } from "@/lib/queues/queue";

/** Every letter, whatever became of it. */
export const ALL = "all";

/** What the address of the list asks for, and what of it could not be used. */
export type LettersQuery = {
  queue: string | undefined;
  filter: LetterFilter;
  place: { after: string | undefined; before: string | undefined };
  /** The same as an address again, without what was left out. */
  query: Query;
  notes: string[];
};

/**
 * Reads the address of the dead letters. Without a state it is the active ones; but who searches for an id or for
 * words wants to find them whatever became of the letter.
 */
export function readLettersQuery(params: Params): LettersQuery {
  const read = paramsReader(params);
  const isPlace = (text: string) => decodeCursor(text) !== null;
  const queue = read.text("queue");
  const asked = read.list("state", [ALL, ...LetterState.options]);
  const text = read.text("q");
  const chosen = asked.filter((each) => each !== ALL);
  const states: LetterState[] | undefined =
    asked.includes(ALL) || (asked.length === 0 && text !== undefined)
      ? undefined
      : chosen.length > 0
        ? chosen
        : ["active"];
  const filter: LetterFilter = {
    states,
    kind: read.text("kind"),
    subject: read.uuid("subject", "character"),
    realm: read.text("realm"),
    text,
  };
  const place = { after: read.place("after", isPlace), before: read.place("before", isPlace) };
  const query = {
    queue,
    state: asked.includes(ALL) ? ALL : asked.join(",") || undefined,
    kind: filter.kind,
    realm: filter.realm,
    subject: filter.subject,
    q: text,
    ...place,
  };
  return { queue, filter, place, query, notes: read.notes };
}

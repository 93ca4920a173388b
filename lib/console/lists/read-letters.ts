import type { LetterSummary } from "@/lib/domain/dead-letter";
import type { Reading } from "@/lib/domain/queue";
import type { CappedCount, LetterFilter, Page, PageRequest, Queue } from "@/lib/queues/queue";
import { settled, valueOr } from "./settled";
import { type Widened, widenings } from "./widenings";

/** One page of a queue's dead letters with all that stands around it. Each part is read by itself. */
export type LettersView = {
  page: Reading<Page<LetterSummary>>;
  /** How many match; null: not told just now. */
  count: CappedCount | null;
  kinds: string[];
  /** When nothing matched: how many would without each part of the filter. */
  widened: Widened<LetterFilter>[];
};

/** Reads a page of letters. Never throws. */
export async function readLetters(queue: Queue, filter: LetterFilter, request: PageRequest): Promise<LettersView> {
  const { letters } = queue;
  if (!letters) throw new Error(`${queue.name} has no letters to list`);
  const [page, count, kinds] = await Promise.all([
    settled(queue, "letters", () => letters.listLetters(filter, request)),
    settled(queue, "count", () => letters.countLetters(filter)),
    settled(queue, "kinds", () => letters.listKinds()),
  ]);
  const empty = page.kind === "read" && page.value.rows.length === 0;
  const widened = () => widenings(filter, (wider) => letters.countLetters(wider));
  return {
    page,
    count: valueOr(count, null),
    kinds: valueOr(kinds, []),
    widened: empty ? valueOr(await settled(queue, "widened", widened), []) : [],
  };
}

import type { Redis } from "ioredis";
import { markUnseen } from "@/lib/domain/unseen";
import type { ItemOutcome } from "@/lib/queues/queue";
import { readLetter } from "./envelope/letter";
import { findLetters } from "./find-letters";
import { mask } from "./mask-item";
import { type Outcome, readStoredOutcomes } from "./operations";

type Item = { letterId: string; newJobId: string };

/**
 * What became of requeued entries, by letter id. Bytes that are no entry have no id by which anything could tell of them:
 * `newJobId` is empty, and they have left unproved.
 */
export async function readOutcomes(redis: Redis, items: readonly Item[]): Promise<Map<string, ItemOutcome>> {
  const found = await readStoredOutcomes(
    redis,
    items.map(({ letterId }) => letterId),
  );
  const known = items.flatMap(({ letterId, newJobId }, n): [string, ItemOutcome][] => {
    const outcome = found[n] ?? null;
    if (newJobId === "") return [[letterId, { outcome: "left_unproved", atMs: null, detail: {} }]];
    return outcome?.entryId === newJobId ? [[letterId, told(outcome)]] : [];
  });
  const outcomes = new Map(known);
  await tellErrors(redis, outcomes);
  return outcomes;
}

function told({ outcome, atMs, nextLetterId }: Outcome): ItemOutcome {
  return { outcome, atMs, detail: nextLetterId === null ? {} : { nextLetterId } };
}

const ERROR_MAX = 400;

/** Of what died again, with what error, where the letter can be found just now. */
async function tellErrors(redis: Redis, outcomes: ReadonlyMap<string, ItemOutcome>): Promise<void> {
  const next = [...outcomes.values()].flatMap(({ detail }) => detail.nextLetterId ?? []);
  if (next.length === 0) return;
  const letters = await findLetters(redis, next).catch(() => null);
  for (const { detail } of outcomes.values()) {
    const found = detail.nextLetterId === undefined ? undefined : letters?.get(detail.nextLetterId);
    if (!found) continue;
    const { error, item } = readLetter(found.bytes);
    detail.error = markUnseen(mask(error, item)).slice(0, ERROR_MAX);
  }
}

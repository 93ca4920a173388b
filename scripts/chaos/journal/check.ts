import { readOutcomes } from "@/lib/engine/durable/redis-work-queue";
import type { Violation } from "@/lib/engine/testing/conservation";
import type { Closed, JournalBook } from "./book";
import { readEffects, wrongIn } from "./effects";
import { type Holding, readHoldings } from "./holdings";
import type { JournalStage } from "./stage";

export type JournalCheck = { live: number; dead: number; done: number; lost: Closed[]; violations: Violation[] };

/**
 * Looks for every piece of work in the stores, while nobody works: by entry id and by session token. `lost`: what was
 * answered and is nowhere; each of them is a violation, too.
 */
export async function checkJournal(stage: JournalStage): Promise<JournalCheck> {
  const { queue, book } = stage;
  const holdings = await readHoldings(queue);
  const violations = [...twins(holdings), ...strangers(holdings, book), ...twoAnswers(book)];
  const held = new Map(holdings.map((holding) => [holding.token, holding]));
  const away = [...book.closed.values()].filter(({ cleanup }) => !held.has(cleanup.sessionToken));
  const effects = await readEffects(
    stage,
    [...book.closed.values()].filter(({ seenDone }) => !seenDone),
  );
  const lost: Closed[] = [];
  let done = 0;
  for (const closed of away) {
    const seen = effects.get(closed.cleanup.sessionToken);
    const wrong = seen ? wrongIn(closed, seen) : null;
    if (wrong === null) {
      closed.seenDone = closed.told === "appended";
      if (closed.told === "appended") done += 1;
      continue;
    }
    violations.push(`entry ${closed.entryId ?? "?"} (${closed.cleanup.plan}, ${closed.told}): ${wrong}`);
    if (closed.told === "appended") lost.push(closed);
  }
  violations.push(...(await withoutOutcome(stage, holdings)));
  const dead = holdings.filter(({ deadLetterId }) => deadLetterId !== null).length;
  return { live: holdings.length - dead, dead, done, lost, violations };
}

/** Nothing stands in two places: no entry, and no piece of work. */
function twins(holdings: readonly Holding[]): Violation[] {
  const violations: Violation[] = [];
  for (const by of ["entryId", "token"] as const) {
    const first = new Map<string, Holding>();
    for (const holding of holdings) {
      const other = first.get(holding[by]);
      if (other) violations.push(`entry ${holding.entryId} is in ${other.list} and in ${holding.list} (same ${by})`);
      first.set(holding[by], holding);
    }
  }
  return violations;
}

/** What nobody has put in, and what was refused and is there all the same. */
const strangers = (holdings: readonly Holding[], { closed }: JournalBook): Violation[] =>
  holdings
    .filter(({ token }) => (closed.get(token)?.told ?? "left") === "left")
    .map(({ list, entryId }) => `entry ${entryId} stands in ${list}, and was never accepted`);

/** One letter goes back once, and an operation that is asked again says the same. */
function twoAnswers({ requeued }: JournalBook): Violation[] {
  const entries = new Map<string, Set<string>>();
  for (const { deadLetterId, entryId } of requeued) {
    entries.set(deadLetterId, (entries.get(deadLetterId) ?? new Set()).add(entryId ?? "?"));
  }
  return [...entries]
    .filter(([, ids]) => ids.size > 1)
    .map(([letter, ids]) => `letter ${letter} was requeued ${ids.size} times: ${[...ids].join(", ")}`);
}

/** Of each entry that went back and is live no longer, what became of it stands under the letter that it came from. */
async function withoutOutcome({ queue, book }: JournalStage, holdings: readonly Holding[]): Promise<Violation[]> {
  const live = new Set(holdings.filter(({ deadLetterId }) => deadLetterId === null).map(({ entryId }) => entryId));
  const dead = new Map(
    holdings.flatMap((each) => (each.deadLetterId === null ? [] : ([[each.entryId, each]] as const))),
  );
  const settled = book.requeued.filter(({ entryId }) => !live.has(entryId ?? "?"));
  const violations: Violation[] = [];
  for (let at = 0; at < settled.length; at += 500) {
    const some = settled.slice(at, at + 500);
    const outcomes = await readOutcomes(
      queue,
      some.map(({ deadLetterId }) => deadLetterId),
    );
    for (const [n, { deadLetterId, entryId }] of some.entries()) {
      const outcome = outcomes[n];
      const next = dead.get(entryId ?? "?");
      if (outcome?.entry_id !== entryId) violations.push(`letter ${deadLetterId} went back, and has no outcome`);
      else if (next && outcome?.next_dead_letter_id !== next.deadLetterId)
        violations.push(
          `letter ${deadLetterId} died again as ${next.deadLetterId}, and its outcome is ${outcome?.outcome}`,
        );
    }
  }
  return violations;
}

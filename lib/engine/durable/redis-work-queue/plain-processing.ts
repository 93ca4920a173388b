import { STEP_MAX } from "./append";
import { readEntry, returnsName, sha1 } from "./envelope/entry";
import { newLetter } from "./envelope/letter";
import { POISON_ERROR, RETURNS_MAX, type Returned } from "./leftovers";
import { RETURN_SEEN as LUA } from "./lua/return-seen";
import type { AnyQueue } from "./queue";
import { runScript, script, word } from "./script";

const RETURN_SEEN = script(LUA);

/** Looked at in one look: the oldest, which stand at the tail. */
const LOOK_MAX = STEP_MAX;

export type PlainProcessing = {
  /** Looks once, and brings back what every look of the last `unchangedMs` has seen. */
  look(): Promise<Returned>;
};

/**
 * Watches the list of writers that do not name their runtime: whether they live nobody can tell, so only what has stood
 * there unchanged for a long time is brought back. What was seen is remembered here, in times of the store's clock.
 */
export function watchPlainProcessing(queue: AnyQueue, unchangedMs = 10 * 60_000): PlainProcessing {
  /** Of each content: when its twins were first seen, the first seen first. Ms since 1970. */
  let seen = new Map<string, number[]>();

  return {
    async look() {
      const { timeMs, entries } = await readPlain(queue);
      const now = new Map<string, number[]>();
      const due: Buffer[] = [];
      for (const { bytes, name } of entries) {
        const twins = now.get(name) ?? [];
        const since = seen.get(name)?.[twins.length] ?? timeMs;
        now.set(name, [...twins, since]);
        if (timeMs - since >= unchangedMs) due.push(bytes);
      }
      seen = now;
      const total: Returned = { returned: 0, dead: 0 };
      // The newest first, each to the tail: in the end they are in their old order.
      for (const bytes of due) {
        const ending = await bringBack(queue, bytes);
        if (ending !== "stale") total[ending] += 1;
      }
      return total;
    },
  };
}

/** The oldest, each named by its content and by its returns: what another watcher brought back begins anew. */
async function readPlain({ redis, keys }: AnyQueue) {
  const [time, list] = await Promise.all([redis.time(), redis.lrangeBuffer(keys.processing, -LOOK_MAX, -1)]);
  const counted = list.map((bytes) => returnsName(bytes, readEntry(bytes)));
  const returns = list.length === 0 ? [] : await redis.hmget(keys.returns, ...counted);
  return {
    timeMs: Number(time[0]) * 1_000 + Math.floor(Number(time[1]) / 1_000),
    entries: list.map((bytes, n) => ({ bytes, name: `${sha1(bytes)} ${returns[n] ?? 0}` })),
  };
}

async function bringBack({ redis, keys }: AnyQueue, bytes: Buffer): Promise<"returned" | "dead" | "stale"> {
  const { processing, pending, deadLetter, returns, minutes, outcomes, outcomesAt } = keys;
  const entry = readEntry(bytes);
  const { before, after, from, outcome } = newLetter(bytes, entry, entry?.attempts ?? 0, POISON_ERROR);
  return runScript(
    redis,
    RETURN_SEEN,
    [processing, pending, deadLetter, returns, minutes, outcomes, outcomesAt],
    [RETURNS_MAX, bytes, returnsName(bytes, entry), before, after, from, outcome],
    word("returned", "dead", "stale"),
  );
}

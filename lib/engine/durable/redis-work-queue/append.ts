import { randomUUID } from "node:crypto";
import { z } from "zod";
import { failpoint } from "@/lib/engine/failpoint";
import { newEntry } from "./envelope/entry";
import { APPEND as LUA } from "./lua/append";
import type { AnyQueue } from "./queue";
import { Bytes, runScript, script, Text } from "./script";

const APPEND = script(LUA);
const Answer = z.tuple([Bytes, Text, z.number()]);

/** Entries in one call of a script: it holds everybody up for some milliseconds. */
export const STEP_MAX = 500;

export type Appended = {
  entryIds: string[];
  /** ISO 8601 on the store's clock. */
  enqueuedAt: string;
  /** How many wait then. */
  pending: number;
};

/**
 * Puts items behind all that wait, in the order given, each as an entry of its own; all or none. At most 500.
 * Throws when the store refused, or did not answer: `writeTrouble` tells whether they may be there.
 */
export async function appendItems({ redis, keys }: AnyQueue, items: readonly Buffer[]): Promise<Appended> {
  if (items.length > STEP_MAX) throw new Error(`${items.length} items in one append, at most ${STEP_MAX}`);
  const entryIds = items.map(() => randomUUID() as string);
  const parts = items.flatMap((item, n) => newEntry({ entryId: entryIds[n] ?? "", item }));
  await failpoint("work_queue.append_before");
  const [, enqueuedAt, pending] = await runScript(redis, APPEND, [keys.pending, keys.minutes], parts, Answer);
  await failpoint("work_queue.append_after");
  return { entryIds, enqueuedAt, pending };
}

import { z } from "zod";
import type { AnyQueue } from "./queue";

const Outcome = z.object({
  outcome: z.enum(["recovered", "superseded", "died_again"]),
  at_ms: z.number(),
  entry_id: z.string(),
  next_dead_letter_id: z.string().optional(),
  operation_id: z.string().optional(),
});
export type Outcome = z.output<typeof Outcome>;

/** What became of letters' requeued work; null where it is not known, or known no longer. */
export async function readOutcomes({ redis, keys }: AnyQueue, ids: readonly string[]): Promise<(Outcome | null)[]> {
  if (ids.length === 0) return [];
  const found = await redis.hmget(keys.outcomes, ...ids);
  return found.map((text) => (text === null ? null : Outcome.parse(JSON.parse(text))));
}

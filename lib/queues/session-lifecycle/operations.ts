import type { Redis } from "ioredis";
import { z } from "zod";
import type { StoredOutcome } from "@/lib/queues/queue";
import { wrongTypeIs } from "./clock";
import { JOURNAL_KEYS, requeuedField } from "./keys";

const text = z.string().nullish().catch(null);

/** By whom a letter was put back, as the engine keeps it for 30 days. */
const Requeued = z.object({ at: text, entry_id: text, operation_id: text, actor: text });
export type Requeued = {
  at: string;
  atMs: number | null;
  entryId: string | null;
  operationId: string | null;
  actor: string | null;
};

const Outcome = z.object({
  outcome: z.enum(["recovered", "superseded", "died_again"]),
  at_ms: z.number(),
  entry_id: z.string(),
  next_dead_letter_id: text,
});
export type Outcome = StoredOutcome & { entryId: string };

async function readHash<T>(redis: Redis, key: string, fields: string[], parse: (text: string) => T | null) {
  if (fields.length === 0) return [];
  const found = await redis.hmget(key, ...fields).catch(wrongTypeIs<(string | null)[]>(fields.map(() => null)));
  return found.map((value) => (value === null ? null : parse(value)));
}

/** Null: what stands there is not ours to understand. */
function json<S extends z.ZodType>(schema: S, text: string): z.output<S> | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Who requeued some letters, in their order; null: nobody, as far as it is kept. */
export function readRequeued(redis: Redis, letterIds: readonly string[]): Promise<(Requeued | null)[]> {
  return readHash(redis, JOURNAL_KEYS.operations, letterIds.map(requeuedField), (text) => {
    const found = json(Requeued, text);
    if (found === null) return null;
    const atMs = Date.parse(found.at ?? "");
    return {
      at: found.at ?? "",
      atMs: Number.isNaN(atMs) ? null : atMs,
      entryId: found.entry_id ?? null,
      operationId: found.operation_id ?? null,
      actor: found.actor ?? null,
    };
  });
}

/** What became of some letters' requeued entries, in their order; null: it is not known. */
export function readStoredOutcomes(redis: Redis, letterIds: readonly string[]): Promise<(Outcome | null)[]> {
  return readHash(redis, JOURNAL_KEYS.outcomes, [...letterIds], (text) => {
    const found = json(Outcome, text);
    if (found === null) return null;
    const { outcome, at_ms: atMs, entry_id: entryId, next_dead_letter_id: next } = found;
    return { outcome, atMs, entryId, nextLetterId: next ?? null };
  });
}

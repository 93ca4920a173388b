import { z } from "zod";
import type { JournalQueue } from "@/lib/engine/session-lifecycle/journal-queue";
import type { JournalFacts } from "@/lib/internal-rpc/journal-wire";

const By = z.object({ at: z.string(), entry_id: z.string().nullable(), operation_id: z.string(), actor: z.string() });

/** Who requeued some letters, in their order; null: nobody, as far as it is kept. */
export async function readRequeued(
  { redis, keys }: JournalQueue,
  ids: readonly string[],
): Promise<JournalFacts["requeued"][]> {
  const found = await redis.hmget(keys.operations, ...ids.map((id) => `requeued ${id}`));
  return found.map((text) => (text === null ? null : By.parse(JSON.parse(text))));
}

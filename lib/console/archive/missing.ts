import type { Pool } from "pg";
import { z } from "zod";
import { many, type Sql } from "@/lib/db/pg";
import type { ArchiveKey } from "@/lib/queues/queue";

/** $1 queue · $2 letter ids · $3 generations. Places in the lists, counted from 1. */
const MISSING: Sql = {
  name: "archive_missing",
  text: `select place::int from unnest($2::text[], $3::int[]) with ordinality as asked(letter_id, generation, place)
    where not exists (select from backstop.dead_letters d
      where d.queue = $1 and d.letter_id = asked.letter_id and d.generation = asked.generation)`,
};

/** Those of some letters that are not kept yet. */
export async function missingOf(own: Pool, queue: string, keys: readonly ArchiveKey[]): Promise<ArchiveKey[]> {
  if (keys.length === 0) return [];
  const values = [queue, keys.map(({ letterId }) => letterId), keys.map(({ generation }) => generation)];
  const rows = await many(own, MISSING, z.object({ place: z.number() }), values);
  return rows.flatMap(({ place }) => keys[place - 1] ?? []);
}

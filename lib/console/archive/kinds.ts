import type { Pool } from "pg";
import { z } from "zod";
import { many, type Sql } from "@/lib/db/pg";

/** $1 queues; null: all. */
const KINDS: Sql = {
  name: "archive_kinds",
  text: `select distinct kind from backstop.error_groups where $1::text[] is null or queue = any($1::text[])
    order by kind limit 100`,
};

/** Kinds of which letters have died in these queues (or in any), at most 100. */
export async function listArchivedKinds(own: Pool, queues?: readonly string[]): Promise<string[]> {
  return (await many(own, KINDS, z.object({ kind: z.string() }), [queues ?? null])).map(({ kind }) => kind);
}

import type { Pool } from "pg";
import { z } from "zod";
import { many, type Sql } from "@/lib/db/pg";

const KINDS: Sql = {
  name: "archive_kinds",
  text: "select distinct kind from backstop.error_groups order by kind limit 100",
};

/** Kinds of which letters have died, at most 100. */
export async function listArchivedKinds(own: Pool): Promise<string[]> {
  return (await many(own, KINDS, z.object({ kind: z.string() }))).map(({ kind }) => kind);
}

import type { Pool } from "pg";
import { z } from "zod";
import { one, type Sql } from "@/lib/db/pg";

/** $1 minutes. */
const LOOKED: Sql = {
  name: "viewers_looked",
  text: `select exists (select from backstop.sessions where last_seen_at > statement_timestamp() - $1::int * interval '1 minute') as looked`,
};

/** Whether anybody used the desk within the last minutes. */
export async function somebodyLooked(own: Pool, minutes: number): Promise<boolean> {
  return (await one(own, LOOKED, z.object({ looked: z.boolean() }), [minutes])).looked;
}

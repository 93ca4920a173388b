import type pg from "pg";
import { z } from "zod";
import { many, type Sql } from "@/lib/db/pg";
import { presenceKey, type SessionStore } from "@/lib/engine/session-lifecycle/sessions/session-store";

/** Whoever mends it or not: after an hour the keys are gone. */
const LEFT_S = 3_600;

/** As another program would that takes the key for its own. */
export async function overwritePresence(store: SessionStore, characterId: string): Promise<void> {
  await store.redis.set(presenceKey(store, characterId), "seen by another program", "EX", LEFT_S);
}

const CONCERNED: Sql = {
  name: "demo_fault_presence_concerned",
  text: `select w.character_id from demo_fault_writes w join demo_faults f using (fault_id)
          where f.fault = 'presence_keys' and f.begun_at > statement_timestamp() - interval '2 hours'`,
};

/** Removes what was written over presence keys, and no presence. */
export async function removeOverwritten(pool: pg.Pool, store: SessionStore): Promise<void> {
  for (const { character_id } of await many(pool, CONCERNED, z.object({ character_id: z.string() }))) {
    const key = presenceKey(store, character_id);
    if ((await store.redis.type(key)) === "string") await store.redis.del(key);
  }
}

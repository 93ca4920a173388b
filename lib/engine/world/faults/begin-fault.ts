import type pg from "pg";
import { z } from "zod";
import { execute, maybe, type Sql } from "@/lib/db/pg";
import type { FaultName } from "@/lib/domain/demo-fault";
import { boundedTransaction } from "@/lib/engine/pg/bounded-transaction";
import { pickCharacters } from "@/lib/engine/world/pick-characters";
import { FAULTS, LEFT_FREE } from "./fault";
import { revokeRight } from "./ledger-right";

const TIMEOUT_MS = 8_000;

// $1 fault · $2 seconds that it lasts, or null · $3 who. Two that come at once meet at the unique index of the open fault:
// the second writes nothing.
const BEGIN: Sql = {
  name: "demo_fault_begin",
  text: `
    insert into demo_faults (fault, begun_at, ends_at, begun_by)
    select $1, at, at + make_interval(secs => $2::float8), $3 from (select clock_timestamp() as at) as clock
    on conflict ((true)) where ended_at is null do nothing
    returning fault_id::text`,
};

// $1 fault · $2 characters
const CONCERN: Sql = {
  name: "demo_fault_concern",
  text: `insert into demo_fault_writes (fault_id, slot, character_id)
         select $1, slot, character_id from unnest($2::uuid[]) with ordinality as who(character_id, slot)`,
};

/**
 * Makes one fault, if none is open. It is in the store then, and so it outlives a restart: each engine does its part of
 * it within a second. `other`: a fault was open already, this one or another; nothing was changed.
 */
export function beginFault(pool: pg.Pool, fault: FaultName, by: string): Promise<"begun" | "other"> {
  const { writesMax, lastsSeconds } = FAULTS[fault];
  return boundedTransaction(pool, { timeoutMs: TIMEOUT_MS }, async (client) => {
    const begun = await maybe(client, BEGIN, z.object({ fault_id: z.string() }), [fault, lastsSeconds, by]);
    if (begun === null) return "other";
    const free = await pickCharacters(client, writesMax + LEFT_FREE);
    const concerned = free.slice(LEFT_FREE).map(({ characterId }) => characterId);
    await execute(client, CONCERN, [begun.fault_id, concerned]);
    if (fault === "missing_right") await revokeRight(client);
    return "begun";
  });
}

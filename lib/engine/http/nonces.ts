import type { Pool } from "pg";
import { z } from "zod";
import { execute, one, type Sql } from "@/lib/db/pg";
import { NONCE_KEPT_S, SKEW_MAX_S } from "@/lib/internal-rpc/limits";
import type { NonceStore } from "@/lib/internal-rpc/nonces";

// $1 key id · $2 nonce · $3 created, s · $4 expires, s · $5 skew allowed, s
// Seconds are compared as numbers: a signature may name a time that no timestamptz holds.
const CONSUME: Sql = {
  name: "rpc_consume_nonce",
  text: `
    with judged as materialized (
      select case
               when abs(extract(epoch from statement_timestamp()) - $3::numeric) > $5::numeric then 'too_far'
               when extract(epoch from statement_timestamp()) > $4::numeric then 'expired'
             end as refused
    ), consumed as (
      insert into internal_rpc_nonces (key_id, nonce, seen_at)
      select $1, $2, clock_timestamp() from judged where refused is null
      on conflict do nothing
      returning 1
    )
    select refused,
           exists (select 1 from consumed) as consumed,
           to_char(statement_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as server_time
      from judged`,
};

const Consumed = z.object({
  refused: z.enum(["too_far", "expired"]).nullable(),
  consumed: z.boolean(),
  server_time: z.string(),
});

// $1 kept, s · $2 rows at most
const SWEEP: Sql = {
  name: "rpc_sweep_nonces",
  text: `
    delete from internal_rpc_nonces
     where (key_id, nonce) in (
       select key_id, nonce from internal_rpc_nonces
        where seen_at < statement_timestamp() - make_interval(secs => $1)
        order by seen_at limit $2)`,
};

/** A sweep holds its row locks for some milliseconds; what is left over goes with the next one. */
const SWEEP_ROWS_MAX = 5_000;

/** Used nonces in the engine's Postgres, and times judged on its clock. */
export function createNonceStore(pool: Pool): NonceStore {
  return {
    async consume({ keyId, nonce, createdS, expiresS }) {
      const row = await one(pool, CONSUME, Consumed, [keyId, nonce, createdS, expiresS, SKEW_MAX_S]);
      const serverTime = row.server_time;
      if (row.refused) return { kind: "clock_skew", why: row.refused, serverTime };
      return { kind: row.consumed ? "fresh" : "replayed", serverTime };
    },
    sweep: () => execute(pool, SWEEP, [NONCE_KEPT_S, SWEEP_ROWS_MAX]),
  };
}

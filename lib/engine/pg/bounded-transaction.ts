import type pg from "pg";
import { z } from "zod";
import { one, type Sql, transaction } from "@/lib/db/pg";
import { instant } from "./instant";

// $1 for one lock, ms · $2 for one statement, and for a pause between two · $3 for the whole transaction, which Postgres
// 17 and later know · $4 the latest beginning, ms since 1970, or null
const BOUND: Sql = {
  name: "bound_transaction",
  text: `
    select set_config('lock_timeout', $1, true), set_config('statement_timeout', $2, true),
           set_config('idle_in_transaction_session_timeout', $2, true),
           case when current_setting('server_version_num')::int >= 170000
             then set_config('transaction_timeout', $3, true) end,
           extract(epoch from statement_timestamp()) * 1000 > $4::float8 as too_late,
           ${instant("statement_timestamp()")} as server_time`,
};

const Bound = z.object({ too_late: z.boolean().nullable(), server_time: z.string() });

export type BoundedOptions = {
  /** The server itself ends the transaction after so long, also when this process is frozen: no lock outlives that. */
  timeoutMs: number;
  /** Nothing is done when the store's clock (ms since 1970) is past this as the transaction begins. */
  startByMs?: number | undefined;
};

/** The transaction began after `startByMs`; nothing was done. */
export class TooLate extends Error {
  constructor(readonly serverTime: string) {
    super("too late to begin");
  }
}

/** One bounded transaction. Older servers bound each statement and each pause between two instead of the whole. */
export function boundedTransaction<T>(
  pool: pg.Pool,
  { timeoutMs, startByMs }: BoundedOptions,
  body: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  return transaction(pool, async (client) => {
    // A lock that is not had in half the time leaves enough of it to say so and to go on with something else.
    const [lockMs, statementMs] = [0.5, 0.75].map((part) => String(Math.ceil(timeoutMs * part)));
    const bound = await one(client, BOUND, Bound, [lockMs, statementMs, String(timeoutMs), startByMs ?? null]);
    if (bound.too_late) throw new TooLate(bound.server_time);
    return body(client);
  });
}

import type pg from "pg";
import { z } from "zod";
import { one, type Sql, transaction } from "@/lib/db/pg";
import { instant } from "./instant";

// The transaction and its bounds in one message: asked for by themselves they cost every row of the worker a round trip
// more, and as one statement less than as four. `part` of the whole is for one lock (not had by then, there is time left
// to say so and to go on with something else), for one statement, and for a pause between two. The whole is a bound that
// Postgres 17 and later know.
const begin = (timeoutMs: number) => {
  const bound = (name: string, share: number) => `set_config('${name}', '${Math.ceil(timeoutMs * share)}', true)`;
  return `
    begin;
    select ${bound("lock_timeout", 0.5)}, ${bound("statement_timeout", 0.75)},
           ${bound("idle_in_transaction_session_timeout", 0.75)},
           case when current_setting('server_version_num')::int >= 170000 then ${bound("transaction_timeout", 1)} end`;
};

// $1 the latest beginning, ms since 1970
const LATE: Sql = {
  name: "bound_transaction_late",
  text: `
    select extract(epoch from statement_timestamp()) * 1000 > $1::float8 as too_late,
           ${instant("statement_timestamp()")} as server_time`,
};

const Late = z.object({ too_late: z.boolean(), server_time: z.string() });

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
  return transaction(
    pool,
    async (client) => {
      if (startByMs !== undefined) {
        const late = await one(client, LATE, Late, [startByMs]);
        if (late.too_late) throw new TooLate(late.server_time);
      }
      return body(client);
    },
    begin(timeoutMs),
  );
}

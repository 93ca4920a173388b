import type pg from "pg";
import { one, type Sql } from "@/lib/db/pg";
import { StoreFacts } from "@/lib/internal-rpc/wire";

const STORE: Sql = {
  name: "facts_store",
  text: `select pg_is_in_recovery() as in_recovery, current_setting('transaction_read_only')::boolean as read_only,
                current_setting('fsync')::boolean as fsync, current_setting('full_page_writes')::boolean as full_page_writes,
                current_setting('synchronous_commit') as synchronous_commit`,
};

/**
 * How the store is set for a connection that would write. Not to be asked in the snapshot of the facts: that one is
 * read-only because we said so.
 */
export function readStoreFacts(pool: pg.Pool): Promise<StoreFacts> {
  return one(pool, STORE, StoreFacts);
}

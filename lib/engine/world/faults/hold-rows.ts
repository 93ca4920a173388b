import pg from "pg";
import { z } from "zod";
import { execute, one, type Sql } from "@/lib/db/pg";
import type { OpenFault } from "./read-fault";

// Held as long as the transaction: one engine of several holds the rows.
const ONE_HOLDER: Sql = {
  name: "demo_hold_alone",
  text: "select pg_try_advisory_xact_lock(hashtextextended('backstop.demo.rows', 0)) as alone",
};

// $1 ms. The server itself ends the session then, also when this process is frozen.
const BOUND: Sql = {
  name: "demo_hold_bound",
  text: "select set_config('idle_in_transaction_session_timeout', $1, true)",
};

// $1 fault
const HOLD: Sql = {
  name: "demo_hold_rows",
  text: `select 1 from characters
          where character_id in (select character_id from demo_fault_writes where fault_id = $1)
          order by character_id for update`,
};

export type RowHolder = {
  /** Sees to it that the fault's rows are held, by this engine or by another. */
  hold(fault: OpenFault): Promise<void>;
  letGo(): Promise<void>;
};

/** Holds row locks in a session of its own, which does nothing else until it lets go or its time is over. */
export function rowHolder(url: string): RowHolder {
  let held: pg.Client | null = null;

  async function letGo(): Promise<void> {
    const client = held;
    held = null;
    // Its transaction ends with the session.
    await client?.end().catch(() => {});
  }

  async function take(client: pg.Client, { faultId, leftMs }: OpenFault): Promise<boolean> {
    await client.connect();
    await client.query("begin");
    const { alone } = await one(client, ONE_HOLDER, z.object({ alone: z.boolean() }));
    if (!alone) return false;
    await client.query({ ...BOUND, values: [String(Math.ceil(leftMs ?? 0) + 1_000)] });
    await execute(client, HOLD, [faultId]);
    return true;
  }

  return {
    async hold(fault) {
      if (held !== null) return;
      const client = new pg.Client({
        connectionString: url,
        application_name: "engine-demo-lock",
        connectionTimeoutMillis: 3_000,
        statement_timeout: 5_000,
        // A write that is under way has one of them: the next round comes in half a second.
        lock_timeout: 1_000,
      });
      client.on("error", () => {
        if (held === client) held = null;
      });
      let took = false;
      try {
        took = await take(client, fault);
      } finally {
        if (took) held = client;
        else await client.end().catch(() => {});
      }
    },
    letGo,
  };
}

import type pg from "pg";
import { z } from "zod";
import { maybe, type Sql } from "@/lib/db/pg";
import type { FaultName } from "@/lib/domain/demo-fault";
import { boundedTransaction } from "@/lib/engine/pg/bounded-transaction";
import { grantRight } from "./ledger-right";

const TIMEOUT_MS = 8_000;

// $1 who · $2 fault, or null for any
const END: Sql = {
  name: "demo_fault_end",
  text: `update demo_faults set ended_at = clock_timestamp(), ended_by = $1
          where ended_at is null and ($2::text is null or fault = $2) returning fault`,
};

// $1 who
const END_OVERDUE: Sql = {
  name: "demo_fault_end_overdue",
  text: `update demo_faults set ended_at = clock_timestamp(), ended_by = $1
          where ended_at is null and ends_at <= statement_timestamp() returning fault`,
};

const Ended = z.object({ fault: z.string() });

/** Mends this fault, or whichever is open. What it has left (rows, letters) stays. */
export function endFault(pool: pg.Pool, fault: FaultName | null, by: string): Promise<"ended" | "none"> {
  return end(pool, END, [by, fault]);
}

/** Ends the open fault when its time is over. */
export function endOverdueFault(pool: pg.Pool): Promise<"ended" | "none"> {
  return end(pool, END_OVERDUE, ["system"]);
}

function end(pool: pg.Pool, sql: Sql, values: unknown[]): Promise<"ended" | "none"> {
  return boundedTransaction(pool, { timeoutMs: TIMEOUT_MS }, async (client) => {
    const ended = await maybe(client, sql, Ended, values);
    if (ended?.fault === "missing_right") await grantRight(client);
    return ended === null ? "none" : "ended";
  });
}

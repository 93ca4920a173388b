import type { Pool } from "pg";
import { execute, type Sql } from "@/lib/db/pg";

/**
 * $1 duty · $2 holder · $3 lease (ms). Takes or renews a duty on the database clock: one keeper of many does it, and
 * another takes over once the lease has run out.
 */
const TAKE: Sql = {
  name: "duty_take",
  text: `insert into backstop.duties as d (duty, holder, expires_at)
      values ($1, $2, clock_timestamp() + $3::int * interval '1 ms')
    on conflict (duty) do update set holder = excluded.holder, expires_at = excluded.expires_at
      where d.holder = excluded.holder or d.expires_at <= clock_timestamp()`,
};

/** True when this keeper holds the duty for the next `leaseMs`. */
export async function takeDuty(own: Pool, duty: string, holder: string, leaseMs: number): Promise<boolean> {
  return (await execute(own, TAKE, [duty, holder, leaseMs])) === 1;
}

const RELEASE: Sql = { name: "duty_release", text: "delete from backstop.duties where holder = $1" };

/** Gives back every duty at a graceful stop, so that another keeper need not wait for the leases. */
export async function releaseDuties(own: Pool, holder: string): Promise<void> {
  await execute(own, RELEASE, [holder]);
}

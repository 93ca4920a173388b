import type pg from "pg";

/** What a table of waiting rows is made of: shares of its rows, in claim order. */
export type Shape = {
  name: string;
  /** Held by others, longest due, at the head of the claim order. */
  leased: number;
  due: number;
};

/** The rest is scheduled for later. */
export const SHAPES: readonly Shape[] = [
  { name: "mostly due", leased: 0, due: 0.9 },
  { name: "mostly scheduled", leased: 0, due: 0.1 },
  { name: "mostly due, a twentieth leased at the head", leased: 0.05, due: 0.85 },
];

// $1 rows · $2 of them leased · $3 of them leased or due · $4 payload. A claim's rows have one token and one expiry.
const FILL = `
  insert into persistence_retry_jobs
    (retry_job_id, job_kind, character_id, realm_id, zone_id, payload, attempt_count, next_attempt_at, created_at,
     updated_at, lease_token, lease_owner, lease_expires_at)
  select gen_random_uuid(), 'character_location', gen_random_uuid(), 'aurelia', 'zone_bench', $4, 0,
         case when n <= $3 then at - interval '1 hour' + n * interval '1 ms' else at + interval '1 day' + n * interval '1 ms' end,
         at, at,
         case when n <= $2 then md5((n / 128)::text)::uuid end, case when n <= $2 then 'bench' end,
         case when n <= $2 then at + interval '1 hour' + (n / 128) * interval '1 ms' end
    from generate_series(1, $1::int) as n cross join (select clock_timestamp() as at) as clock`;

/** Fills the empty table with rows of a shape and lets the store look at them, as autovacuum would by and by. */
export async function fillWaiting(pool: pg.Pool, rows: number, { leased, due }: Shape): Promise<void> {
  const payload = JSON.stringify({ stands: "for a payload of usual size", said: "x".repeat(400) });
  await pool.query("truncate persistence_retry_jobs");
  await pool.query(FILL, [rows, Math.round(rows * leased), Math.round(rows * (leased + due)), payload]);
  await pool.query("vacuum analyze persistence_retry_jobs");
}

import { randomUUID } from "node:crypto";
import pg from "pg";
import { engineConfig } from "@/lib/config-engine";
import { onGo } from "@/scripts/bench/on-go";

// The least that claims 128 rows and writes each once under its lease, a transaction a row. It guards what it must to
// be right at all, and leaves out what the engine promises beyond: bounds on the server, the remaining lease, outcomes,
// attempts, counts, suspects, failures.

const CLAIM = `
  with due as (select retry_job_id, next_attempt_at, created_at from persistence_retry_jobs
    where next_attempt_at <= statement_timestamp() and lease_expires_at is null
    order by next_attempt_at, created_at limit 128 for update skip locked)
  update persistence_retry_jobs j
     set lease_token = $1, lease_owner = 'bare', lease_expires_at = clock_timestamp() + interval '30 s'
    from due where j.retry_job_id = due.retry_job_id returning j.retry_job_id`;
const LOCK = `select payload from persistence_retry_jobs
  where retry_job_id = $1 and lease_token = $2 and lease_expires_at > statement_timestamp() for update`;
const WRITE = `update characters set zone_id = $3, position_x = $4, position_y = $5, position_z = $6,
  version = version + 1, changed_at = clock_timestamp() where character_id = $1 and realm_id = $2`;
const KEY =
  "insert into persistence_applied_keys (idempotency_key, retry_job_id, applied_at) values ($1, $2, clock_timestamp())";
const DELETE = "delete from persistence_retry_jobs where retry_job_id = $1 and lease_token = $2";

const pool = new pg.Pool({ connectionString: engineConfig().databaseUrl, max: 2 });
const run = (db: pg.Pool | pg.PoolClient, name: string, text: string, values: unknown[]) =>
  db.query({ name, text, values });

async function settle(id: string, token: string): Promise<void> {
  const client = await pool.connect();
  await client.query("begin");
  const locked = await run(client, "lock", LOCK, [id, token]);
  const { payload: p, idempotency } = JSON.parse(locked.rows[0].payload);
  await run(client, "write", WRITE, [p.character_id, p.realm_id, p.zone_id, p.position.x, p.position.y, p.position.z]);
  await run(client, "key", KEY, [idempotency.key, id]);
  await run(client, "delete", DELETE, [id, token]);
  await client.query("commit");
  client.release();
}

await pool.query("select 1");
onGo(async () => {
  for (;;) {
    const token = randomUUID();
    const { rows } = await run(pool, "claim", CLAIM, [token]);
    for (const row of rows) await settle(row.retry_job_id, token);
    if (rows.length === 0) return;
    console.log(JSON.stringify({ event: "claim_settled", done: rows.length }));
  }
});

import type pg from "pg";

type Row = {
  retryJobId: string;
  jobKind: string;
  characterId: string;
  realmId: string;
  zoneId: string | null;
  payload: string;
};

/** The row and nothing else: one prepared statement, committed by itself. */
export const bareInsert = (pool: pg.Pool, row: Row) =>
  pool.query({
    name: "bare_insert",
    text: `insert into persistence_retry_jobs (retry_job_id, job_kind, character_id, realm_id, zone_id, payload,
             next_attempt_at, created_at, updated_at) values ($1, $2, $3, $4, $5, $6, now(), now(), now())`,
    values: [row.retryJobId, row.jobKind, row.characterId, row.realmId, row.zoneId, row.payload],
  });

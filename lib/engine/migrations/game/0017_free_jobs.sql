-- Only free rows are claimed, so only they stand in the claim order: a claim walks past no leases, however many others
-- hold at its head, and a claimed row is written into one index less.
drop index persistence_retry_jobs_claim_order;
create index persistence_retry_jobs_claim_order on persistence_retry_jobs (next_attempt_at, created_at, retry_job_id)
  where lease_expires_at is null;

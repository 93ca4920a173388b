-- The claim order to its end: rows of the same instant keep one order in every worker, and it is told which row of a
-- lost claim was in hand. Only free rows are claimed, so only they stand in it: a claim walks past no leases, however
-- many others hold at its head, and a claimed row is written into one index less.
create index persistence_retry_jobs_claim_order on persistence_retry_jobs (next_attempt_at, created_at, retry_job_id)
  where lease_expires_at is null;
drop index persistence_retry_jobs_due;

-- Leases that ran out are found by the index, however many rows wait; and so are the few that lost theirs in hand.
create index persistence_retry_jobs_lease on persistence_retry_jobs (lease_expires_at)
  where lease_expires_at is not null;
create index persistence_retry_jobs_suspect on persistence_retry_jobs (next_attempt_at, created_at, retry_job_id)
  where lost_leases > 0;

-- The letter that a job was requeued from, found by the job: the chain of lives, backwards, on the seed's columns alone.
create index persistence_job_dead_letters_requeued_job on persistence_job_dead_letters (requeued_retry_job_id)
  where requeued_retry_job_id is not null;

-- Another fault of the journal: its Redis refuses writes for a while.

alter table demo_faults drop constraint demo_faults_fault_check;
alter table demo_faults add constraint demo_faults_fault_check
  check (fault in ('row_lock', 'missing_right', 'worker_stopped', 'worker_frozen', 'poison',
                   'presence_keys', 'cleanup_killed', 'redis_refuses'));

export const RETRY = `
-- Puts an entry that failed aside until the next tick.
-- KEYS 1 processing of the runtime · 2 retrying · 3 returns · 4 minutes
-- ARGV 1 the entry's bytes · 2 its bytes with one attempt more · 3 its name in returns
-- Answers 'retrying', or 'stale' where it was not there: then nothing is written
if not redis.call('LPOS', KEYS[1], ARGV[1], 'RANK', -1) then return 'stale' end
-- Insert, then remove: what can be refused (memory, rights, a wrong type) is refused before anything is gone.
redis.call('LPUSH', KEYS[2], ARGV[2])
redis.call('LREM', KEYS[1], -1, ARGV[1])
redis.pcall('HDEL', KEYS[3], ARGV[3])
count(KEYS[4], 'failed', 1)
return 'retrying'
`;

export const RELEASE = `
-- Gives an entry back that nobody worked on: it is the next to be taken, and no attempt is counted.
-- KEYS 1 processing of the runtime · 2 pending
-- ARGV 1 the entry's bytes
-- Answers 'released', or 'stale' where it was not there: then nothing is written
if not redis.call('LPOS', KEYS[1], ARGV[1], 'RANK', -1) then return 'stale' end
redis.call('RPUSH', KEYS[2], ARGV[1])
redis.call('LREM', KEYS[1], -1, ARGV[1])
return 'released'
`;

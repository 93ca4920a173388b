export const LEAVE = `
-- A runtime that stops is known no longer, unless it still holds something: that is for somebody's start to find.
-- KEYS 1 processing of the runtime · 2 runtimes
-- ARGV 1 runtime
-- Answers 'left' | 'holds'
if redis.call('LLEN', KEYS[1]) > 0 then return 'holds' end
redis.call('HDEL', KEYS[2], ARGV[1])
return 'left'
`;

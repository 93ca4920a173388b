export const BEAT = `
-- KEYS 1 runtimes · ARGV 1 runtime
-- Answers the time of the heartbeat, ms since 1970
redis.call('HSET', KEYS[1], ARGV[1], now_ms)
return now_ms
`;

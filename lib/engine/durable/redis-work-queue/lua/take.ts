export const TAKE = `
-- Takes what has waited longest. The heartbeat goes with it: no entry is ever in the list of a runtime that nobody knows.
-- KEYS 1 pending · 2 processing of this runtime · 3 runtimes
-- ARGV 1 runtime · 2 how many at most
-- Answers the entries, the oldest first
redis.call('HSET', KEYS[3], ARGV[1], now_ms)
local taken = {}
for n = 1, tonumber(ARGV[2]) do
  local entry = redis.call('LMOVE', KEYS[1], KEYS[2], 'RIGHT', 'LEFT')
  if not entry then break end
  taken[n] = entry
end
return taken
`;

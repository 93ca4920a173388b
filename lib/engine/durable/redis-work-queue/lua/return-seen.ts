export const RETURN_SEEN = `
-- Brings one entry back from the plain list of other writers, wherever in it; as return.lua does.
-- KEYS 1 processing · 2 pending · 3 dead_letter · 4 returns · 5 minutes · 6 outcomes · 7 outcomes:at
-- ARGV 1 returns until it is poison · 2 the entry's bytes · 3 its name in returns · 4, 5 its letter before and after the
--      instant · 6 the letter that it came from, or '' · 7 what follows the time in that letter's outcome
-- Answers 'returned' | 'dead' | 'stale' where it was not there: then nothing is written
local wrong = unfit(KEYS[4], 'hash') or unfit(KEYS[6], 'hash') or unfit(KEYS[7], 'zset')
if wrong then return wrong end
if not redis.call('LPOS', KEYS[1], ARGV[2], 'RANK', -1) then return 'stale' end
local before = tonumber(redis.call('HGET', KEYS[4], ARGV[3]) or '0') or 0
local word = before + 1 < tonumber(ARGV[1]) and 'returned' or 'dead'
if word == 'returned' then
  redis.call('RPUSH', KEYS[2], ARGV[2])
  redis.call('HINCRBY', KEYS[4], ARGV[3], 1)
else
  redis.call('LPUSH', KEYS[3], ARGV[4] .. instant() .. ARGV[5])
  redis.call('HDEL', KEYS[4], ARGV[3])
  if ARGV[6] ~= '' then outcome(KEYS[6], KEYS[7], ARGV[6], ARGV[7]) end
end
redis.call('LREM', KEYS[1], -1, ARGV[2])
count(KEYS[5], word, 1)
return word
`;

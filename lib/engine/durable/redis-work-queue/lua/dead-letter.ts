export const DEAD_LETTER = `
-- Makes a dead letter of an entry.
-- KEYS 1 processing of the runtime · 2 dead_letter · 3 returns · 4 minutes · 5 outcomes · 6 outcomes:at
-- ARGV 1 the entry's bytes · 2, 3 the letter's before and after the instant · 4 the entry's name in returns ·
--      5 the letter that it came from, or '' · 6 what follows the time in that letter's outcome
-- Answers 'dead', or 'stale' where the entry was not there: then nothing is written
local wrong = unfit(KEYS[5], 'hash') or unfit(KEYS[6], 'zset')
if wrong then return wrong end
if not redis.call('LPOS', KEYS[1], ARGV[1], 'RANK', -1) then return 'stale' end
redis.call('LPUSH', KEYS[2], ARGV[2] .. instant() .. ARGV[3])
redis.call('LREM', KEYS[1], -1, ARGV[1])
redis.pcall('HDEL', KEYS[3], ARGV[4])
if ARGV[5] ~= '' then outcome(KEYS[5], KEYS[6], ARGV[5], ARGV[6]) end
count(KEYS[4], 'dead', 1)
return 'dead'
`;

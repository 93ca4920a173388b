export const ACK = `
-- Settles entries that were worked off.
-- KEYS 1 processing of the runtime · 2 returns · 3 minutes · 4 outcomes · 5 outcomes:at
-- ARGV 1 the word to count · then for each entry: its bytes · its name in returns · the letter it came from, or '' ·
--      what follows the time in that letter's outcome
-- Answers for each entry 'acked', or 'stale' where it was not there: then nothing else is written for it
local wrong = unfit(KEYS[4], 'hash') or unfit(KEYS[5], 'zset')
if wrong then return wrong end
local returned = redis.call('EXISTS', KEYS[2]) == 1
local answers, acked = {}, 0
for n = 2, #ARGV, 4 do
  local word = 'stale'
  -- From the tail: a runtime works on what it took first, and that stands there.
  if redis.call('LREM', KEYS[1], -1, ARGV[n]) == 1 then
    word = 'acked'
    acked = acked + 1
    if returned then redis.pcall('HDEL', KEYS[2], ARGV[n + 1]) end
    if ARGV[n + 2] ~= '' then outcome(KEYS[4], KEYS[5], ARGV[n + 2], ARGV[n + 3]) end
  end
  answers[#answers + 1] = word
end
count(KEYS[3], ARGV[1], acked)
return answers
`;

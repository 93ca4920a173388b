export const REQUEUE = `
-- Puts a letter's work back as a fresh entry, once, and keeps the answer under operation and letter.
-- KEYS 1 dead_letter · 2 pending · 3 operations · 4 operations:at · 5 minutes
-- ARGV 1 operation · 2 letter · 3 ms since 1970 after which nothing is begun, or '' · 4 the letter's bytes, '' where it was
--      not found · 5 its place counted from the tail, from -1, as it was seen · 6, 7 the entry's bytes before and after
--      the instant · 8 'raw' where the entry is 6 alone · 9 what was expected · 10 actor · 11 the entry's id; 9 to 11 as JSON
-- Answers {'recorded', record} where this pair was answered before | {'too_late', instant} |
--      {'requeued' | 'already_requeued' | 'not_found', record}
local wrong = unfit(KEYS[1], 'list') or unfit(KEYS[2], 'list') or unfit(KEYS[3], 'hash') or unfit(KEYS[4], 'zset')
if wrong then return wrong end
local known = redis.call('HGET', KEYS[3], ARGV[1] .. ' ' .. ARGV[2])
if known then return { 'recorded', known } end
local at = instant()
if ARGV[3] ~= '' and now > tonumber(ARGV[3]) then return { 'too_late', at } end

-- A removal by value costs what is passed by on the way (some 30 ns a letter): 1.6 ms in the middle of 100,000, and
-- nothing near an end. So it starts from the nearer end; the place is a hint, good while nothing nearer to the tail went.
local there = false
if ARGV[4] ~= '' then
  local place = tonumber(ARGV[5])
  local way = -place * 2 <= redis.call('LLEN', KEYS[1]) and -1 or 1
  there = redis.call('LINDEX', KEYS[1], place) == ARGV[4] or redis.call('LPOS', KEYS[1], ARGV[4], 'RANK', way)
  if there then
    redis.call('LPUSH', KEYS[2], ARGV[8] == 'raw' and ARGV[6] or ARGV[6] .. at .. ARGV[7])
    redis.call('LREM', KEYS[1], way, ARGV[4])
  end
end

local word, by = 'requeued', nil
if there then
  by = '{"at":"' .. at .. '","entry_id":' .. ARGV[11] .. ',"operation_id":"' .. ARGV[1] .. '","actor":' .. ARGV[10] .. '}'
  redis.call('HSET', KEYS[3], 'requeued ' .. ARGV[2], by)
  redis.call('ZADD', KEYS[4], now_ms, 'requeued ' .. ARGV[2])
  count(KEYS[5], 'requeued', 1)
else
  by = redis.call('HGET', KEYS[3], 'requeued ' .. ARGV[2])
  word = by and 'already_requeued' or 'not_found'
end
local record = '{"answer":"' .. word .. '","expect":' .. ARGV[9] .. (by and ',"by":' .. by or '') .. '}'
remember(KEYS[3], KEYS[4], ARGV[1], ARGV[2], record)
return { word, record }
`;

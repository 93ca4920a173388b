export const ANSWERS = `
-- Put before the scripts that answer for an operation. Fields of the operations hash, each with its time in the sorted set:
-- '<operation> <letter>' the answer · 'span <operation>' first and last time of an answer, so that an operation's answers
-- are found by time · 'requeued <letter>' by whom a letter was requeued.
local function remember(hash, times, operation, letter, record)
  local span = redis.call('HGET', hash, 'span ' .. operation)
  local first, last = now, now
  if span then
    local from, to = span:match('^(%d+) (%d+)$')
    first, last = math.min(tonumber(from), now), math.max(tonumber(to), now)
  end
  redis.call('HSET', hash, operation .. ' ' .. letter, record,
    'span ' .. operation, string.format('%.0f %.0f', first, last))
  redis.call('ZADD', times, now_ms, operation .. ' ' .. letter, now_ms, 'span ' .. operation)
end
`;

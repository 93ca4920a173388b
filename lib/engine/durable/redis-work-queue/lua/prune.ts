export const PRUNE = `
-- Removes what is older than it is kept.
-- KEYS 1 outcomes · 2 outcomes:at · 3 operations · 4 operations:at · 5 minutes
-- ARGV 1 ms that outcomes and operations are kept · 2 ms that minutes are kept · 3 how many of each at most
-- Answers how many of each went: outcomes, operations' fields, minutes' fields
local function old(hash, times)
  local names = redis.call('ZRANGEBYSCORE', times, '-inf', string.format('%.0f', now - tonumber(ARGV[1])),
    'LIMIT', 0, tonumber(ARGV[3]))
  for _, name in ipairs(names) do
    redis.call('HDEL', hash, name)
    redis.call('ZREM', times, name)
  end
  return #names
end
local outcomes, operations, minutes = old(KEYS[1], KEYS[2]), old(KEYS[3], KEYS[4]), 0
for _, name in ipairs(redis.call('HKEYS', KEYS[5])) do
  if minutes == tonumber(ARGV[3]) then break end
  local minute = tonumber(name:match('^(%d+) '))
  if minute and now - minute > tonumber(ARGV[2]) then minutes = minutes + redis.call('HDEL', KEYS[5], name) end
end
return { outcomes, operations, minutes }
`;

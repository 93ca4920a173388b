export const APPEND = `
-- Puts entries behind all that wait, in the order given.
-- KEYS 1 pending · 2 minutes
-- ARGV for each entry: its bytes before and after the instant
-- Answers {'appended', instant, how many wait now}
local at, length = instant(), 0
for n = 1, #ARGV, 2 do
  length = redis.call('LPUSH', KEYS[1], ARGV[n] .. at .. ARGV[n + 1])
end
count(KEYS[2], 'queued', #ARGV / 2)
return { 'appended', at, length }
`;

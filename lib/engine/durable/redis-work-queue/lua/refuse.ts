export const REFUSE = `
-- Keeps the answer of an operation for a letter that is left as it is.
-- KEYS 1 operations · 2 operations:at
-- ARGV 1 operation · 2 letter · 3 record
-- Answers {'recorded', record}, the one given or the one that was there
local wrong = unfit(KEYS[1], 'hash') or unfit(KEYS[2], 'zset')
if wrong then return wrong end
local known = redis.call('HGET', KEYS[1], ARGV[1] .. ' ' .. ARGV[2])
if known then return { 'recorded', known } end
remember(KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3])
return { 'recorded', ARGV[3] }
`;

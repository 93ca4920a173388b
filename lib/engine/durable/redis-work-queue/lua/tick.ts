export const TICK = `
-- Puts what failed before this tick behind all that wait.
-- KEYS 1 retrying · 2 pending
-- ARGV 1 how many at most
-- Answers how many were moved
local moved = 0
while moved < tonumber(ARGV[1]) and redis.call('LMOVE', KEYS[1], KEYS[2], 'RIGHT', 'LEFT') do moved = moved + 1 end
return moved
`;

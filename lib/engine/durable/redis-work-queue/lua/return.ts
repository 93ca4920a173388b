export const RETURN = `
-- Brings leftovers of a runtime that is gone back, so that they are the next to be taken, in their old order. Each return
-- is counted; at the last that is allowed the entry becomes a dead letter, unrun.
-- KEYS 1 processing of that runtime · 2 pending · 3 dead_letter · 4 runtimes · 5 returns · 6 minutes · 7 outcomes ·
--      8 outcomes:at
-- ARGV 1 runtime · 2 ms after which it is gone · 3 returns until it is poison · then for each entry from the head of the
--      list: sha1 of its bytes · its name in returns · its letter before and after the instant, '' while its returns allow
--      another · the letter that it came from, or '' · what follows the time in that letter's outcome
-- Answers {'alive'} | {'moved', returned, dead, left in the list}. It ends at the first entry that is not the one given:
-- another start was here
local beat = redis.call('HGET', KEYS[4], ARGV[1])
if beat and (not tonumber(beat) or now - tonumber(beat) <= tonumber(ARGV[2])) then return { 'alive' } end
local wrong = unfit(KEYS[2], 'list') or unfit(KEYS[3], 'list') or unfit(KEYS[5], 'hash')
  or unfit(KEYS[7], 'hash') or unfit(KEYS[8], 'zset')
if wrong then return wrong end
local returned, dead = 0, 0
for n = 4, #ARGV, 6 do
  local entry = redis.call('LINDEX', KEYS[1], 0)
  if not entry or redis.sha1hex(entry) ~= ARGV[n] then break end
  local before = tonumber(redis.call('HGET', KEYS[5], ARGV[n + 1]) or '0') or 0
  if before + 1 < tonumber(ARGV[3]) then
    redis.call('HINCRBY', KEYS[5], ARGV[n + 1], 1)
    redis.call('LMOVE', KEYS[1], KEYS[2], 'LEFT', 'RIGHT')
    returned = returned + 1
  elseif ARGV[n + 2] ~= '' then
    redis.call('LPUSH', KEYS[3], ARGV[n + 2] .. instant() .. ARGV[n + 3])
    redis.call('LPOP', KEYS[1])
    redis.call('HDEL', KEYS[5], ARGV[n + 1])
    if ARGV[n + 4] ~= '' then outcome(KEYS[7], KEYS[8], ARGV[n + 4], ARGV[n + 5]) end
    dead = dead + 1
  else
    -- Counted by somebody else since its count was read: the next look sees it.
    break
  end
end
count(KEYS[6], 'returned', returned)
count(KEYS[6], 'dead', dead)
local left = redis.call('LLEN', KEYS[1])
if left == 0 then redis.call('HDEL', KEYS[4], ARGV[1]) end
return { 'moved', returned, dead, left }
`;

export const PEEK = `
-- The newest entries of a list of leftovers, as many as fit: a few of 5 MB, or hundreds of 500 bytes.
-- KEYS 1 processing · 2 runtimes
-- ARGV 1 runtime · 2 ms after which it is gone · 3 how many at most · 4 bytes at most, the first entry aside
-- Answers {'alive' | 'unreadable'} | {'gone', entry, entry, …} from the head
local beat = redis.call('HGET', KEYS[2], ARGV[1])
if beat then
  -- Somebody else's heartbeat in another form: not ours to call dead.
  if not tonumber(beat) then return { 'unreadable' } end
  if now - tonumber(beat) <= tonumber(ARGV[2]) then return { 'alive' } end
end
local seen, bytes = { 'gone' }, 0
for index = 0, tonumber(ARGV[3]) - 1 do
  local entry = redis.call('LINDEX', KEYS[1], index)
  if not entry then break end
  bytes = bytes + #entry
  if index > 0 and bytes > tonumber(ARGV[4]) then break end
  seen[#seen + 1] = entry
end
return seen
`;

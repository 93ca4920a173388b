export const FIND = `
-- Looks through the dead letters from a place counted from the tail on. It reads here what a client would have to fetch:
-- of 100,000 letters 70 MB. A few at a time, since nothing tells how long a letter is before it is there.
-- KEYS 1 dead_letter
-- ARGV 1 letters to pass by · 2 how many at most · 3 bytes at most, but never fewer letters than 4 + 1 · 4 how many of them
--      were looked at before · then the ids that are looked for
-- Answers {'more' | 'end', names of those looked at, places among them (from 0) of each that is looked for or does not tell
--      its id at once, their bytes}
local wanted, names, places, hits, bytes, ended = {}, {}, {}, {}, 0, 'more'
for n = 5, #ARGV do wanted[ARGV[n]] = true end
while #names < tonumber(ARGV[2]) and (bytes <= tonumber(ARGV[3]) or #names <= tonumber(ARGV[4])) do
  local many, first = math.min(25, tonumber(ARGV[2]) - #names), tonumber(ARGV[1]) + #names
  local chunk = redis.call('LRANGE', KEYS[1], -first - many, -first - 1)
  for n = #chunk, 1, -1 do
    local letter, id = chunk[n], nil
    bytes = bytes + #letter
    if letter:sub(1, 19) == '{"dead_letter_id":"' and letter:sub(56, 56) == '"' then id = letter:sub(20, 55) end
    if id and id:find('["\\\\]') then id = nil end
    names[#names + 1] = id or redis.sha1hex(letter)
    if not id or wanted[id] then
      places[#places + 1], hits[#hits + 1] = #names - 1, letter
    end
  end
  if #chunk < many then
    ended = 'end'
    break
  end
end
return { ended, names, places, hits }
`;

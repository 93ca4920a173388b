export const CLOCK = `
-- Put before every script: the store's clock, and what several scripts do.
local time = redis.call('TIME')
local sec, msec = tonumber(time[1]), math.floor(tonumber(time[2]) / 1000)
local now = sec * 1000 + msec
-- Ms since 1970 as text: tostring would write 1.76e+12.
local now_ms = string.format('%.0f', now)

-- This instant as ISO 8601; days to year, month and day as in Howard Hinnant's civil_from_days.
local function instant()
  local floor = math.floor
  local days, rest = floor(sec / 86400), sec % 86400
  local era = floor((days + 719468) / 146097)
  local doe = days + 719468 - era * 146097
  local yoe = floor((doe - floor(doe / 1460) + floor(doe / 36524) - floor(doe / 146096)) / 365)
  local doy = doe - (365 * yoe + floor(yoe / 4) - floor(yoe / 100))
  local mp = floor((5 * doy + 2) / 153)
  local day = doy - floor((153 * mp + 2) / 5) + 1
  local month = mp < 10 and mp + 3 or mp - 9
  local year = yoe + era * 400 + (month <= 2 and 1 or 0)
  local hour, minute = floor(rest / 3600), floor(rest % 3600 / 60)
  return string.format('%04d-%02d-%02dT%02d:%02d:%02d.%03dZ', year, month, day, hour, minute, rest % 60, msec)
end

-- Counts are for charts: a key of another type there must not hold work up.
local function count(key, word, n)
  if n > 0 then redis.pcall('HINCRBY', key, string.format('%.0f', (sec - sec % 60) * 1000) .. ' ' .. word, n) end
end

-- An error in the words of Redis where a key is of another type; nil where it may be written. A script asks before its
-- first write: what it has written stays written when it fails later.
local function unfit(key, kind)
  local is = redis.call('TYPE', key).ok
  if is == 'none' or is == kind then return nil end
  return redis.error_reply('WRONGTYPE ' .. key .. ' is a ' .. is .. ', not a ' .. kind)
end

-- What became of the letter that an entry came from, under that letter's id.
local function outcome(hash, times, letter, rest)
  redis.call('HSET', hash, letter, '{"at_ms":' .. now_ms .. rest)
  redis.call('ZADD', times, now_ms, letter)
end
`;

/**
 * Token buckets, each of which holds the tokens of one second. A bucket is stored as the instant at which it
 * will be full again (GCRA). This is one number instead of a count and a time. The script uses Redis' own
 * clock, so that all API processes agree.
 *
 * KEYS the bucket of each request, ARGV[1] tokens a second. Returns microseconds for each request. A positive
 * value is the wait until the bucket has a token. Otherwise a token was taken, and the value is minus the
 * time until the bucket is full again.
 */
export const TAKE_TOKENS = `
local rate = tonumber(ARGV[1])
local time = redis.call('TIME')
-- Microseconds since 2026. Microseconds since 1970 are so large that a double has a resolution of only a
-- quarter of a microsecond.
local now = (tonumber(time[1]) - 1767225600) * 1000000 + tonumber(time[2])
-- Allows for the rounding errors of all tokens of a second.
local rounding = 0.5 + rate / 250
local waits = {}
for i, bucket in ipairs(KEYS) do
  local fullAt = tonumber(redis.call('GET', bucket) or now)
  if fullAt < now then fullAt = now end
  -- After the clock was set back, requests must not be refused for longer than with an empty bucket.
  if fullAt > now + 1000000 then fullAt = now + 1000000 end
  local nextFullAt = fullAt + 1000000 / rate
  if nextFullAt > now + 1000000 + rounding then
    waits[i] = math.ceil(nextFullAt - now - 1000000)
  else
    redis.call('SET', bucket, string.format('%.3f', nextFullAt), 'PX', math.ceil((nextFullAt - now) / 1000) + 1)
    waits[i] = math.floor(now - nextFullAt)
  end
end
return waits
`;

/**
 * Token buckets that hold one second's worth. Each is stored as the instant at which it will be full again
 * (GCRA: one number instead of a count and a time). Redis' own clock, so that all API processes agree.
 *
 * KEYS the bucket of each request, ARGV[1] tokens a second. For each microseconds: until there is a token,
 * or, when one was taken, minus those until the bucket is full again.
 */
export const TAKE_TOKENS = `
local rate = tonumber(ARGV[1])
local time = redis.call('TIME')
-- Microseconds since 2026: since 1970 they would leave a double no more than quarters of one.
local now = (tonumber(time[1]) - 1767225600) * 1000000 + tonumber(time[2])
-- For what is rounded away with each token of a second.
local rounding = 0.5 + rate / 250
local waits = {}
for i, bucket in ipairs(KEYS) do
  local fullAt = tonumber(redis.call('GET', bucket) or now)
  if fullAt < now then fullAt = now end
  -- A clock that was set back must not refuse requests for longer than an empty bucket does.
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

/**
 * A token bucket that holds one second's worth, kept as the instant at which it will be full again (GCRA: one number
 * instead of a count and a time). Redis' own clock, so that all API processes agree.
 *
 * KEYS[1] the bucket, ARGV[1] tokens a second. 0 when a token was taken, else microseconds until there is one.
 */
export const TAKE_TOKEN = `
local rate = tonumber(ARGV[1])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local fullAt = tonumber(redis.call('GET', KEYS[1]) or now)
if fullAt < now then fullAt = now end
-- A clock that was set back must not lock anybody out for longer than an empty bucket does.
if fullAt > now + 1000000 then fullAt = now + 1000000 end
local nextFullAt = fullAt + 1000000 / rate
-- Half a microsecond for what was rounded away.
if nextFullAt > now + 1000000.5 then return math.ceil(nextFullAt - now - 1000000) end
redis.call('SET', KEYS[1], string.format('%.3f', nextFullAt), 'PX', math.ceil((nextFullAt - now) / 1000) + 1)
return 0
`;

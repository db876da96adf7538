/**
 * Hands out the instants at which a carrier may be dialed, evenly spaced, to all workers: what is kept is the first
 * instant that nobody has. Redis' own clock, so that they agree. Nobody gets instants further off than the horizon, so
 * that little is lost with a worker that ends.
 *
 * KEYS[1] the carrier, ARGV[1] microseconds between two instants, ARGV[2] how many are wanted, ARGV[3] the horizon in
 * microseconds. Gives how many there are, and the microseconds until the first, or until asking again is of use.
 */
export const TAKE_SLOTS = `
local interval = tonumber(ARGV[1])
local horizon = tonumber(ARGV[3])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local first = tonumber(redis.call('GET', KEYS[1]) or now)
if first < now then first = now end
-- A clock that was set back must not stop a carrier for longer than the horizon.
if first > now + horizon + interval then
  first = now + horizon + interval
  redis.call('SET', KEYS[1], string.format('%.3f', first), 'PX', 60000)
end
if first > now + horizon then return { 0, math.ceil(first - now - horizon) } end
local count = math.min(tonumber(ARGV[2]), math.floor((now + horizon - first) / interval) + 1)
local following = first + count * interval
redis.call('SET', KEYS[1], string.format('%.3f', following), 'PX', math.ceil((following - now) / 1000) + 1000)
return { count, math.ceil(first - now) }
`;

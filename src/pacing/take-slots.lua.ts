/*
 * A carrier with a limit of n calls a second has n lanes. Pacing slots are numbered, and slot i is in lane i
 * modulo n. Two dials of a lane are at least a second apart, so no second has more than n dials. The scripts
 * use Redis' clock, so that all workers agree; tests pass the time as one more argument, in microseconds.
 *
 * KEYS[1] hash of the carrier. `at`: the first free instant, in microseconds. `next`: the number of its slot.
 * By lane, after a late dial: the instant before which the lane must not be dialed again, at least a second
 * after that dial.
 */

/**
 * Takes the next slots, evenly spaced. No slot is beyond the horizon. So a worker that ends loses few slots,
 * and no lane is taken again while its last dial may be late.
 *
 * ARGV[1] microseconds between two slots, ARGV[2] how many slots to take, ARGV[3] the horizon in
 * microseconds, ARGV[4] lanes, ARGV[5] microseconds for which a lane rests. Returns number and microseconds
 * until each slot; or, if there is none, -1 and the microseconds until the next request.
 */
export const TAKE_PACING_SLOTS = `
local interval, wanted, horizon = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local lanes, rest = tonumber(ARGV[4]), tonumber(ARGV[5])
local now = tonumber(ARGV[6] or '')
if not now then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000000 + tonumber(time[2])
end
local kept = redis.call('HMGET', KEYS[1], 'at', 'next')
local at = tonumber(kept[1] or now)
local number = tonumber(kept[2] or 0)
if at < now then at = now end
-- A clock that was set back must not stop a carrier for longer than the horizon.
if at > now + horizon + interval then
  at = now + horizon + interval
  redis.call('HSET', KEYS[1], 'at', string.format('%.3f', at))
end
if at > now + horizon then return { -1, math.ceil(at - now - horizon) } end
local count = math.min(wanted, math.floor((now + horizon - at) / interval) + 1)
local answer = {}
for index = 0, count - 1 do
  local instant = at + index * interval
  local lane = tostring((number + index) % lanes)
  local free = tonumber(redis.call('HGET', KEYS[1], lane) or 0)
  -- A lane that is behind by more than the horizon is skipped this time, which moves it a second forward.
  if free <= instant + horizon then
    if free > instant then
      instant = free
      redis.call('HSET', KEYS[1], lane, string.format('%.3f', free + rest))
    elseif free > 0 then
      redis.call('HDEL', KEYS[1], lane)
    end
    answer[#answer + 1] = number + index
    answer[#answer + 1] = math.ceil(instant - now)
  end
end
redis.call('HSET', KEYS[1], 'at', string.format('%.3f', at + count * interval), 'next', string.format('%.0f', number + count))
redis.call('PEXPIRE', KEYS[1], 60000)
if #answer == 0 then return { -1, 1000 } end
return answer
`;

/**
 * Whether a slot that has passed may still be dialed now. If so, its lane rests for a second plus the time
 * for which this answer holds.
 *
 * ARGV[1] number of the slot, ARGV[2] lanes, ARGV[3] microseconds for which the lane rests. Returns 1 if it
 * may, and 0 if another process has taken the lane's next slot.
 */
export const DIAL_LATE = `
local number, lanes = tonumber(ARGV[1]), tonumber(ARGV[2])
local following = tonumber(redis.call('HGET', KEYS[1], 'next') or 0)
if following <= number or following > number + lanes then return 0 end
local now = tonumber(ARGV[4] or '')
if not now then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000000 + tonumber(time[2])
end
redis.call('HSET', KEYS[1], tostring(number % lanes), string.format('%.3f', now + tonumber(ARGV[3])))
return 1
`;

/*
 * A carrier with a limit of n calls a second has n lanes. Pacing slots are numbered, and slot i is in lane i
 * modulo n. Two dials of a lane are at least a second apart, so no second has more than n dials. The
 * exception is a dial that begins so late that the lane's next slot is already taken. The scripts use Redis'
 * clock, so that all workers agree; tests pass the time as one more argument, in microseconds.
 *
 * KEYS[1] hash of the carrier. `at`: the first free instant, in microseconds. `next`: the number of the slot
 * at this instant. For each lane with a late dial, a field whose name is the lane's number: the instant
 * before which the lane has no other dial. This instant is at least a second after the late dial.
 */

/**
 * Takes the next slots, evenly spaced up to the horizon. A lane that rests gets a later slot or none. The
 * horizon is short, so a worker that ends loses few slots. A short horizon also leaves time for a late dial
 * before the lane's next slot is taken.
 *
 * ARGV[1] microseconds between two slots, ARGV[2] how many slots to take, ARGV[3] the horizon in
 * microseconds, ARGV[4] lanes, ARGV[5] microseconds for which a lane rests. Returns the number of each slot
 * and the microseconds until the slot. If there is no slot, returns -1 and the microseconds to wait before
 * the next request.
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
-- After the clock was set back, the next slot must not be further away than the horizon and an interval.
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
  -- If the lane rests for longer than the horizon after this slot, the slot is skipped. The lane's next slot
  -- is a second later.
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
 * Decides whether a call may still be dialed now in a slot that has passed. If it may, the slot's lane rests
 * for a second plus the time for which this answer is valid.
 *
 * ARGV[1] number of the slot, ARGV[2] lanes, ARGV[3] microseconds for which the lane rests. Returns 1 if the
 * call may be dialed. Returns 0 if the lane's next slot is already taken, or if the hash was lost since the
 * slot was taken.
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

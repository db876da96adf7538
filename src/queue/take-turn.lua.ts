/**
 * The turn of a job among those of its team, which becomes its priority: the queue hands out everybody's first, then
 * everybody's second, so that no team waits behind the backlog of another (start-time fair queueing).
 *
 * A job that is due now comes behind its team's last one, but never before those that are being handed out: who has
 * been away joins the present round, and gains nothing by it. An empty queue begins anew. A job with a slot counts
 * within that slot.
 *
 * KEYS[1] BullMQ's sorted set of waiting jobs, KEYS[2] hash of the last turn by team, ARGV[1] team, ARGV[2] ms for which
 * the slot's turns are kept, or 0 for a job that is due now. Gives the turn, from 1 to the highest priority there is.
 */
export const TAKE_TURN = `
local turn
if ARGV[2] ~= '0' then
  turn = redis.call('HINCRBY', KEYS[2], ARGV[1], 1)
  redis.call('PEXPIRE', KEYS[2], ARGV[2])
else
  local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
  if #first == 0 then
    redis.call('DEL', KEYS[2])
    turn = 1
  else
    -- BullMQ's score is the priority, and below 2^32 a counter.
    local present = math.floor(tonumber(first[2]) / 4294967296)
    turn = math.max(present, tonumber(redis.call('HGET', KEYS[2], ARGV[1]) or '0') + 1)
  end
  redis.call('HSET', KEYS[2], ARGV[1], turn)
  redis.call('PEXPIRE', KEYS[2], 60000)
end
return math.min(turn, 2097151)
`;

/**
 * The turns of jobs among those of their teams, which become their priorities: the queue hands out everybody's first, then
 * everybody's second, so that no team waits behind the backlog of another (start-time fair queueing).
 *
 * A job that is due now comes behind its team's last one, but never before those that are being handed out: who has
 * been away joins the present round, and gains nothing by it. An empty queue begins anew. A job with a slot counts
 * within that slot, and has a place among all that are due in the same second: that of its coming, but no later than if each
 * team came in turn.
 *
 * KEYS[1] BullMQ's sorted set of waiting jobs, KEYS[2] hash of the last turn by team, KEYS[3…] for each job the same hash, or that
 * of its slot. ARGV for each job its team, ms for which the slot's turns are kept, or 0 for a job that is due now, and the slot's
 * second. Gives for each its turn, from 1 to the highest priority there is, and its place, which is 1 for what is due now.
 */
export const TAKE_TURNS = `
local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
local present
-- BullMQ's score is the priority, and below 2^32 a counter.
if #first > 0 then present = math.floor(tonumber(first[2]) / 4294967296) end
local turns = {}
for job = 1, #KEYS - 2 do
  local key, team, kept, second = KEYS[job + 2], ARGV[3 * job - 2], ARGV[3 * job - 1], ARGV[3 * job]
  local turn
  local place = 1
  if kept ~= '0' then
    turn = redis.call('HINCRBY', key, team, 1)
    -- The hash has a field for each team, and few for seconds.
    place = math.min(redis.call('HINCRBY', key, second, 1), turn * redis.call('HLEN', key))
    redis.call('PEXPIRE', key, kept)
  else
    if not present then
      redis.call('DEL', key)
      present = 1
    end
    turn = math.max(present, tonumber(redis.call('HGET', key, team) or '0') + 1)
    redis.call('HSET', key, team, turn)
    redis.call('PEXPIRE', key, 60000)
  end
  turns[2 * job - 1] = math.min(turn, 2097151)
  turns[2 * job] = place
end
return turns
`;

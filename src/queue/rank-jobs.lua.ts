import { HIGHEST_PRIORITY, PRIORITY_FACTOR } from './bullmq-internals.js';

/**
 * Fair scheduling by virtual time. A job's rank among those of its team becomes its priority, so the queue hands out the
 * first job of each team, then the second of each, and no team waits behind the backlog of another (start-time fair
 * queueing).
 *
 * - A job that is due now ranks behind its team's last one, but never before those that are handed out at present: a team
 *   that was idle joins the current round, and gains nothing by it. An empty queue starts again at 1.
 * - A scheduled job ranks among the jobs of its slot. It also has an order among all jobs that are due in the same second:
 *   that of its arrival, but no later than if all teams took turns.
 *
 * KEYS[1] BullMQ's sorted set of waiting jobs, KEYS[2] hash of each team's last rank, KEYS[3…] for each job the same hash,
 * or that of its slot. ARGV for each job its team, the ms for which the slot's ranks are kept, 0 for a job that is due now,
 * and the slot's second. Returns for each its rank, from 1 to the highest priority, and its order, which is 1 for what is
 * due now.
 */
export const RANK_JOBS = `
local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
local present
if #first > 0 then present = math.floor(tonumber(first[2]) / ${PRIORITY_FACTOR}) end
local answer = {}
for job = 1, #KEYS - 2 do
  local key, team, kept, second = KEYS[job + 2], ARGV[3 * job - 2], ARGV[3 * job - 1], ARGV[3 * job]
  local rank
  local order = 1
  if kept ~= '0' then
    rank = redis.call('HINCRBY', key, team, 1)
    -- The hash has a field for each team, and few for seconds.
    order = math.min(redis.call('HINCRBY', key, second, 1), rank * redis.call('HLEN', key))
    redis.call('PEXPIRE', key, kept)
  else
    if not present then
      redis.call('DEL', key)
      present = 1
    end
    rank = math.max(present, tonumber(redis.call('HGET', key, team) or '0') + 1)
    redis.call('HSET', key, team, rank)
    redis.call('PEXPIRE', key, 60000)
  end
  answer[2 * job - 1] = math.min(rank, ${HIGHEST_PRIORITY})
  answer[2 * job] = order
end
return answer
`;

import {
  HIGHEST_PRIORITY,
  luaFirstWaiting,
  luaIsUnranked,
  luaPriorityOf,
  luaScoreOf,
  luaSetRank,
  UNRANKED,
} from './bullmq-internals.js';

/*
 * Fair scheduling by virtual time (start-time fair queueing). A job's rank is the virtual time of its team,
 * and becomes the job's priority in BullMQ. Workers therefore take the first job of each team, then the
 * second job of each team, and no team waits behind the backlog of another.
 */

/**
 * Ranks jobs that are due now, in the transaction that adds them. A job's rank is one higher than the last
 * rank of its team, but at least the rank that workers take at present. A team that was idle therefore joins
 * the current round. An empty queue starts again at 1. Ranking and adding are one transaction. Otherwise
 * another process could find the queue empty in between and start at 1 as well. A team would then have two
 * jobs of every rank.
 *
 * KEYS[1] BullMQ's sorted set of waiting jobs, KEYS[2] hash of each team's last rank, KEYS[3…] the hash of
 * each job. ARGV for each job its id and its team. Returns for each its rank, from 1 to the highest priority;
 * 0 for a job that existed before, which keeps its rank.
 */
export const RANK_ADDED_JOBS = `
local teams = {}
for job = 1, #ARGV, 2 do teams[ARGV[job]] = ARGV[job + 1] end
local first = ${luaFirstWaiting('KEYS[1]')}
local present
if #first > 0 then
  present = ${luaPriorityOf('tonumber(first[2])')}
  if present == ${UNRANKED} and teams[first[1]] then present = nil end
end
local ranks = {}
for job = 1, #KEYS - 2 do
  local id, team = ARGV[2 * job - 1], ARGV[2 * job]
  local score = tonumber(${luaScoreOf('KEYS[1]', 'id')} or '0')
  local rank = 0
  if ${luaIsUnranked('score')} then
    if not present then
      redis.call('DEL', KEYS[2])
      present = 1
    end
    rank = math.max(present, tonumber(redis.call('HGET', KEYS[2], team) or '0') + 1)
    redis.call('HSET', KEYS[2], team, rank)
    redis.call('PEXPIRE', KEYS[2], 60000)
    rank = math.min(rank, ${HIGHEST_PRIORITY})
    ${luaSetRank('KEYS[1]', 'id', 'score', 'KEYS[job + 2]', 'rank')}
  end
  ranks[job] = rank
end
return ranks
`;

/**
 * Ranks scheduled jobs, which are added afterwards. Each due minute has virtual times of its own, so a job's
 * rank is its position among its team's jobs of that minute. A job also gets an order among all jobs of its
 * due second. The order is the lower of two numbers: the position by arrival, and the position in a round
 * robin of all teams.
 *
 * KEYS[1…] for each job the hash of its due minute: each team's last rank, and each second's last order. ARGV
 * for each job its team, the ms for which the minute's ranks are kept, and its due second. Returns for each
 * its rank, from 1 to the highest priority, and its order.
 */
export const RANK_SCHEDULED_JOBS = `
local answer = {}
for job = 1, #KEYS do
  local key, team, kept, second = KEYS[job], ARGV[3 * job - 2], ARGV[3 * job - 1], ARGV[3 * job]
  local rank = redis.call('HINCRBY', key, team, 1)
  -- The hash has a field for each team, and few for seconds.
  local order = math.min(redis.call('HINCRBY', key, second, 1), rank * redis.call('HLEN', key))
  redis.call('PEXPIRE', key, kept)
  answer[2 * job - 1] = math.min(rank, ${HIGHEST_PRIORITY})
  answer[2 * job] = order
end
return answer
`;

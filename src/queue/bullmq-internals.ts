import { type Duplex } from 'node:stream';
import { Job, type JobsOptions, type Queue, type Worker } from 'bullmq';
import { Redis } from 'ioredis';

/*
 * The internals of BullMQ and ioredis that Outdial relies on: names of keys, fields and scores, and two
 * methods that are replaced. No other file uses internals. `test/queue/bullmq-internals.spec.ts` checks each
 * against the installed versions.
 */

/** The versions that this file was written for. */
export const WRITTEN_FOR = { bullmq: '6.7.0', ioredis: '5.11.1' } as const;

/**
 * The highest number that a job's priority may be. Workers take jobs of priority 1 first; 0 means that a job
 * has no priority.
 */
export const HIGHEST_PRIORITY = 2_097_151;

/** The priority of a new job until the transaction that adds it has ranked it. */
export const UNRANKED = HIGHEST_PRIORITY;

/** The score of a waiting job is its priority times this factor, plus a counter. */
export const PRIORITY_FACTOR = 2 ** 32;

/** The score of a delayed job is the millisecond at which it is due times this factor, plus a counter. */
const DELAYED_FACTOR = 0x1000;

/** The sorted set of the jobs that wait, by priority. */
export function waitingKey(queue: Queue): string {
  return queue.toKey('prioritized');
}

/*
 * Lua that reads and ranks waiting jobs. Every argument is an expression of Lua: `waiting` the key of
 * `waitingKey`, `id` a job's id, `score` its score as a number.
 */

/** Lua: the id of the job that workers take next, and its score as text; an empty table if none waits. */
export function luaFirstWaiting(waiting: string): string {
  return `redis.call('ZRANGE', ${waiting}, 0, 0, 'WITHSCORES')`;
}

/** Lua: the score of a waiting job as text; false if the job does not wait. */
export function luaScoreOf(waiting: string, id: string): string {
  return `redis.call('ZSCORE', ${waiting}, ${id})`;
}

/** Lua: the priority of a job. */
export function luaPriorityOf(score: string): string {
  return `math.floor(${score} / ${PRIORITY_FACTOR})`;
}

/** Lua: whether a job is {@link UNRANKED}. */
export function luaIsUnranked(score: string): string {
  return `${score} >= ${UNRANKED} * ${PRIORITY_FACTOR}`;
}

/**
 * Lua: gives an {@link UNRANKED} job its rank as its priority, in its score and in its hash. The score keeps
 * its counter, so the job is taken after jobs of the same rank that were added earlier.
 */
export function luaSetRank(waiting: string, id: string, score: string, hash: string, rank: string): string {
  return `redis.call('ZADD', ${waiting}, ${score} - (${UNRANKED} - ${rank}) * ${PRIORITY_FACTOR}, ${id})
    redis.call('HSET', ${hash}, 'priority', ${rank})`;
}

/** A key that every queue has once it was used. */
export function metaKey(prefix: string, queueName: string): string {
  return `${prefix}:${queueName}:meta`;
}

/** A key with the prefix of the queue's keys, so that it is on the same node of a cluster. */
export function ownKey(queue: Queue, name: string): string {
  return queue.toKey(name);
}

export interface AddedJob {
  id: string;
  name: string;
  data: unknown;
  opts: JobsOptions;
}

/**
 * Adds jobs that are due now, as {@link UNRANKED}, and runs a script on them. Both are one transaction, so no
 * worker takes a job before the script ran. A job that the queue already has does not change.
 *
 * @param script the name of a command that is defined on the queue's connection.
 * @param args the number of the command's keys, the keys, and the arguments.
 * @returns what the script returns. @throws Redis' error.
 */
export async function addAndRun(
  queue: Queue,
  jobs: AddedJob[],
  script: string,
  args: (string | number)[],
): Promise<unknown> {
  const { backend } = queue;
  const transaction = (await backend.client).multi();
  await Promise.all(
    jobs.map(({ id, name, data, opts }) => {
      const job = new Job(queue, name, data, { ...opts, priority: UNRANKED }, id);
      return backend.addJobToTransaction(transaction, job.asJSON(), id);
    }),
  );
  transaction.runCommand(script, args);
  const answers = (await transaction.exec()) ?? [];
  const failed = answers.find(([error]) => error !== null);
  if (failed?.[0]) throw failed[0];
  return answers.at(-1)?.[1];
}

export async function isPaused(redis: Redis, queue: Queue): Promise<boolean> {
  return (await redis.hexists(queue.toKey('meta'), 'paused')) === 1;
}

/** When each delayed job is due, in ms since 1970; null for a job that is not delayed. */
export async function delayedUntil(redis: Redis, queue: Queue, ids: string[]): Promise<(number | null)[]> {
  const scores = await redis.zmscore(queue.toKey('delayed'), ...ids);
  return scores.map((score) => (typeof score === 'string' ? Number(score) / DELAYED_FACTOR : null));
}

/** Whether each of the jobs waits to be taken, in the order of `ids`. */
export async function waiting(redis: Redis, queue: Queue, ids: string[]): Promise<boolean[]> {
  const scores = await redis.zmscore(waitingKey(queue), ...ids);
  return scores.map((score) => typeof score === 'string');
}

/** The ids of at most `most` jobs that workers have taken. */
export function active(redis: Redis, queue: Queue, most: number): Promise<string[]> {
  return redis.lrange(queue.toKey('active'), 0, most - 1);
}

/** Whether one of the queues has the job, in any state. */
export async function isKnown(redis: Redis, queues: Queue[], id: string): Promise<boolean> {
  return (await redis.exists(...queues.map((queue) => queue.toKey(id)))) > 0;
}

/** Whether the queue has the job, and why it failed. */
export async function endOf(
  redis: Redis,
  queue: Queue,
  id: string,
): Promise<{ known: boolean; failedReason: string | undefined }> {
  const [timestamp, failedReason] = await redis.hmget(queue.toKey(id), 'timestamp', 'failedReason');
  return { known: typeof timestamp === 'string', failedReason: failedReason ?? undefined };
}

/** When a worker took the job, in ms since 1970; 0 if none has. */
export async function takenAt(redis: Redis, queue: Queue, id: string): Promise<number> {
  return Number(await redis.hget(queue.toKey(id), 'processedOn'));
}

/** Whether a running worker processes the job: a worker renews the locks of its jobs. */
export async function isLocked(redis: Redis, queue: Queue, id: string): Promise<boolean> {
  return (await redis.exists(`${queue.toKey(id)}:lock`)) === 1;
}

interface Timers {
  lockManager: { close(): Promise<void> };
  stalledCheckStopper?: () => void;
}

/** Abandons a worker that cannot be closed because Redis does not answer. */
export function abandon(worker: Worker): void {
  // A closing worker stops these timers after Redis has answered. Until then they keep the process alive.
  const { lockManager, stalledCheckStopper } = worker as unknown as Timers;
  void lockManager.close();
  stalledCheckStopper?.();
  // `disconnect` also waits for Redis without a limit, but it closes the connections at once.
  worker.disconnect().catch(() => undefined);
  // Nest also closes every worker. Without this line, Nest would wait for the closing that needs Redis.
  worker.close = () => Promise.resolve();
}

interface SocketTimeout {
  stream: Duplex;
  socketTimeoutTimer: NodeJS.Timeout | undefined;
  setSocketTimeout(): void;
}

const inside = Redis.prototype as unknown as SocketTimeout;
// eslint-disable-next-line @typescript-eslint/unbound-method -- only called with `call`
const { setSocketTimeout } = inside;
const watched = new WeakSet<Duplex>();

/*
 * With `socketTimeout`, a connection that closes while it waits for an answer keeps its timer in ioredis. The
 * timer then ends the connection that has replaced the closed one. The timer also keeps a process that has
 * closed everything from exiting. The prototype is changed, because BullMQ makes connections of its own.
 */
inside.setSocketTimeout = function (this: SocketTimeout): void {
  setSocketTimeout.call(this);
  const { stream } = this;
  if (watched.has(stream)) return;
  watched.add(stream);
  stream.once('close', () => {
    clearTimeout(this.socketTimeoutTimer);
    this.socketTimeoutTimer = undefined;
  });
};

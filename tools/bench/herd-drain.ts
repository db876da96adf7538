import { randomUUID } from 'node:crypto';
import { type Queue, Worker } from 'bullmq';
import { CALLS_QUEUE, DIAL_JOB_OPTIONS } from '../../src/queue/call-jobs.js';
import { FairScheduler, spreadMs } from '../../src/queue/fair-scheduling.js';
import { redisOptionsOf } from '../../src/queue/redis-options.js';
import { callsOfBuild, MEASURED } from './calls-of-build.js';
import { type Group, SQL } from './data.js';
import { load, percentile } from './load.js';
import { callsQueue, drainDue, drained, warmUp } from './queue-bench.js';
import { idsOf, triggers } from './requests.js';
import { type Measured, type Stack } from './stack.js';

/** The results of calls that were due at one instant. Seconds count from that instant. */
export interface Herd {
  calls: number;
  lastClaimSeconds: number;
  noOpSeconds: number;
  /** What the rate of the same workers without anything else was measured with. */
  steadyCalls: number;
  steadyRate: number;
  drainRatio: number;
  firstFiveRatio: number;
  p50: number;
  p99: number;
  smallTeamSeconds: number;
  triggerP99Before: number;
  triggerP99During: number;
  bytesPerCall: number;
  rankMicroseconds: number;
}

const CONCURRENCY = 20;
/**
 * The triggering clients meanwhile. Each pauses for this long after an answer, so that their load is noticeable
 * but does not occupy the machine.
 */
const TRIGGERING = { connections: 4, thinkMs: 80 };
const IN_BULK = 1_000;

export async function drainHerd(
  stack: Stack,
  { large, small, busy, workers: count }: { large: Group; small: Group; busy: Group; workers: number },
): Promise<Herd> {
  const noOpSeconds = await drainDelayedNoOps(stack, large.contacts, count);
  await stack.redis.flushall();
  const queue = callsQueue(stack);
  await queue.waitUntilReady();
  const api = await stack.startApi();
  const before = await trigger(stack, api, busy, 5);
  await stack.clean();

  const workers = await startWorkers(stack, count);
  const calls = Math.min(5_000, large.contacts);
  await warmUp(stack, queue, large, { rounds: 2, calls });
  const steady = await drainDue(stack, queue, large, calls);
  await stack.clean();

  const memoryBefore = await memoryOf(stack);
  // Far enough off for all of them to be added.
  const dueAt = new Date(Date.now() + 15_000 + large.contacts / 5);
  const added = performance.now();
  const rankUs = (await schedule(stack, queue, large, dueAt)) + (await schedule(stack, queue, small, dueAt));
  const bytesPerCall = ((await memoryOf(stack)) - memoryBefore) / (large.contacts + small.contacts);
  console.error(`scheduled in ${Math.round((performance.now() - added) / 1_000)} s`);
  await pauseUntil(dueAt.getTime());
  const herding = drained(stack);
  const during = await trigger(stack, api, busy, 10);
  await herding;
  const claims = await claimsOf(stack);
  for (const program of [...workers, api]) await program.stop();
  await queue.close();
  const steadyRate = steady.jobs / steady.seconds;
  const last = claims.at(-1)?.late ?? NaN;
  const late = claims.map((claim) => claim.late);
  return {
    calls: claims.length,
    lastClaimSeconds: last,
    noOpSeconds,
    steadyCalls: steady.jobs,
    steadyRate,
    drainRatio: claims.length / last / steadyRate,
    firstFiveRatio: late.filter((seconds) => seconds < 5).length / 5 / steadyRate,
    p50: percentile(late, 0.5),
    p99: percentile(late, 0.99),
    smallTeamSeconds: Math.max(...claims.filter((claim) => claim.small).map((claim) => claim.late)),
    triggerP99Before: before,
    triggerP99During: during,
    bytesPerCall,
    rankMicroseconds: rankUs / (large.contacts + small.contacts),
  };
}

export function startWorkers(stack: Stack, count: number, env: NodeJS.ProcessEnv = {}): Promise<Measured[]> {
  const start = () => stack.startWorker({ WORKER_CONCURRENCY: String(CONCURRENCY), ...env });
  return Promise.all(Array.from({ length: count }, start));
}

/** p99 in milliseconds. */
async function trigger(stack: Stack, api: Measured, group: Group, seconds: number): Promise<number> {
  const ids = await idsOf(stack.db, [group]);
  const { latencies } = await load(
    api.url,
    TRIGGERING.connections,
    seconds,
    triggers(api.url, group, ids),
    TRIGGERING.thinkMs,
  );
  return percentile(latencies, 0.99);
}

/**
 * Rows, and jobs as the trigger adds them: with a rank and a delay.
 *
 * @param dueAt of the first call; the others are due `everyMs` milliseconds after each other.
 * @returns the CPU of Redis for the ranks, in µs.
 */
export async function schedule(
  stack: Stack,
  queue: Queue,
  group: Group,
  dueAt: Date,
  everyMs = 0,
): Promise<number> {
  const { newId } = await callsOfBuild(stack.db);
  const { rows } = await stack.db.query<{ id: string; team_id: string; runs_at: Date }>(
    `INSERT INTO call_requests (id, team_id, agent_id, contact_id, phone_number, status, variables, accepted_at,
       runs_at, expires_at, woken_at, history)
     SELECT ${newId}, ${SQL.team('t')}, ${SQL.agent('t')}, md5('contact' || n)::uuid, ${SQL.phone('n')},
       'scheduled', '{"bench": true, "herd": true}', now(), due, due + interval '1 day', now(),
       jsonb_build_array(jsonb_build_object('at', now(), 'from', null, 'to', 'scheduled', 'cause', 'triggered'))
     FROM generate_series(${group.firstContact}, ${group.firstContact + group.contacts - 1}) AS n,
       LATERAL (SELECT ${group.firstTeam} AS t, $1::timestamptz + (n - ${group.firstContact}) * $2::integer * interval '1 ms' AS due) one
     RETURNING id, team_id, runs_at`,
    [dueAt, everyMs],
  );
  const scheduler = new FairScheduler(stack.redis);
  let rankUs = 0;
  for (let start = 0; start < rows.length; start += IN_BULK) {
    const some = rows
      .slice(start, start + IN_BULK)
      .map((row) => ({ ...row, delayMs: row.runs_at.getTime() - Date.now() }));
    const before = stack.cpu([]).redis;
    const given = await scheduler.rankScheduled(
      queue,
      some.map(({ team_id: teamId, delayMs }) => ({ teamId, delayMs })),
    );
    rankUs += stack.cpu([]).redis - before;
    await queue.addBulk(
      some.map(({ id, delayMs }, index) => {
        const { priority, order = 1 } = given[index] ?? {};
        const delay = Math.ceil(delayMs + spreadMs(order));
        const data = { callRequestId: id, generation: 0 };
        return { name: 'dial', data, opts: { ...DIAL_JOB_OPTIONS, jobId: `call-${id}-0`, delay, priority } };
      }),
    );
  }
  return rankUs;
}

/** From the instant at which each was due, in seconds; in order of their claims. */
export async function claimsOf(stack: Stack): Promise<{ late: number; small: boolean }[]> {
  const { rows } = await stack.db.query<{ late: number; small: boolean }>(
    `SELECT extract(epoch FROM claimed_at - runs_at)::float8 AS late, team_id = ${SQL.team('1')} AS small
     FROM call_requests WHERE ${MEASURED} AND history -> 0 ->> 'to' = 'scheduled' AND claimed_at IS NOT NULL ORDER BY claimed_at`,
  );
  return rows;
}

/** Seconds from the instant to the end of the last job. */
async function drainDelayedNoOps(stack: Stack, jobs: number, workers: number): Promise<number> {
  const prefix = '{bench-noop}';
  const queue = callsQueue(stack, prefix);
  const dueAt = Date.now() + 10_000 + jobs / 5;
  for (let start = 0; start < jobs; start += IN_BULK) {
    await queue.addBulk(
      Array.from({ length: Math.min(IN_BULK, jobs - start) }, () => {
        const id = randomUUID();
        const opts = { ...DIAL_JOB_OPTIONS, jobId: `call-${id}-0`, delay: dueAt - Date.now() };
        return { name: 'dial', data: { callRequestId: id, generation: 0 }, opts };
      }),
    );
  }
  let left = jobs;
  await pauseUntil(dueAt - 1_000);
  const connection = { ...redisOptionsOf(stack.redisUrl), maxRetriesPerRequest: null };
  const running: Worker[] = [];
  await new Promise<void>((resolve) => {
    for (let worker = 0; worker < workers; worker += 1) {
      const one = new Worker(CALLS_QUEUE, () => Promise.resolve('dialed'), {
        connection,
        prefix,
        concurrency: CONCURRENCY,
      });
      one.on('completed', () => --left === 0 && resolve());
      running.push(one);
    }
  });
  const seconds = (Date.now() - dueAt) / 1_000;
  await Promise.all(running.map((worker) => worker.close()));
  await queue.close();
  return seconds;
}

async function memoryOf(stack: Stack): Promise<number> {
  return Number(/used_memory_dataset:(\d+)/.exec(await stack.redis.info('memory'))?.[1]);
}

async function pauseUntil(instant: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, instant - Date.now())));
}

import { randomUUID } from 'node:crypto';
import { type Job, Queue, Worker } from 'bullmq';
import { Pool } from 'pg';
import { CALLS_QUEUE, DIAL_JOB_OPTIONS } from '../../src/queue/call-jobs.js';
import { type DialJob } from '../../src/queue/wake-ups.js';
import { redisOptionsOf } from '../../src/queue/redis-options.js';
import { callsOfBuild, MEASURED } from './calls-of-build.js';
import { type Group, SQL } from './data.js';
import { percentile } from './load.js';
import { REDIS_PREFIX, type Stack } from './stack.js';

/** What came of a number of jobs. */
export interface Drained {
  jobs: number;
  seconds: number;
}

const IN_BULK = 1_000;

export function callsQueue(stack: Stack, prefix = REDIS_PREFIX): Queue {
  const queue = new Queue(CALLS_QUEUE, { connection: redisOptionsOf(stack.redisUrl), prefix });
  queue.on('error', () => undefined);
  return queue;
}

/** BullMQ's own `add`, so many at a time. */
export async function addJobs(stack: Stack, atATime: number, seconds: number) {
  const queue = callsQueue(stack, '{bench-add}');
  const latencies: number[] = [];
  await queue.waitUntilReady();
  const cpu = process.cpuUsage();
  const started = performance.now();
  const deadline = started + seconds * 1_000;
  await Promise.all(
    Array.from({ length: atATime }, async () => {
      while (performance.now() < deadline) {
        const asked = performance.now();
        const callRequestId = randomUUID();
        await queue.add('dial', { callRequestId }, { ...DIAL_JOB_OPTIONS, jobId: `call-${callRequestId}-0` });
        latencies.push(performance.now() - asked);
      }
    }),
  );
  const took = (performance.now() - started) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  await queue.close();
  latencies.sort((a, b) => a - b);
  return {
    jobs: latencies.length,
    seconds: took,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    cpuUs: user + system,
  };
}

/** A worker that does nothing, over jobs that are there when it begins. */
export function drainNoOps(
  stack: Stack,
  concurrency: number,
  jobs: number,
): Promise<Drained & { cpuUs: number }> {
  const ids = Array.from({ length: jobs }, randomUUID);
  return drainInto(stack, concurrency, ids, () => Promise.resolve('dialed'));
}

/**
 * A worker that only claims a call and writes down that it was dialed, in one bare statement each. It has no
 * locks, guardrails or history, and looks at nothing else.
 */
export async function drainBareCalls(
  stack: Stack,
  concurrency: number,
  group: Group,
  calls: number,
): Promise<Drained & { cpuUs: number }> {
  const ids = await insertDueCalls(stack, group, calls);
  const db = new Pool({ connectionString: stack.databaseUrl, max: 10 });
  const done = await drainInto(stack, concurrency, ids, async (id) => {
    const claimed = await db.query({ ...BARE_CLAIM, values: [id] });
    if (claimed.rowCount === 1) await db.query({ ...BARE_OUTCOME, values: [id, `bare-${id}`] });
    return 'dialed';
  });
  await db.end();
  return done;
}

const BARE_CLAIM = {
  name: 'bare_claim',
  text: `UPDATE call_requests SET status = 'dialing', claimed_at = now(), processed_at = now(), caller_id = '+16502000000', prompt = 'Hello.',
      first_message = '', carrier = 'bare'
    WHERE id = $1 AND status IN ('scheduled', 'queued')`,
};
const BARE_OUTCOME = {
  name: 'bare_outcome',
  text: `UPDATE call_requests SET status = 'in_progress', carrier_call_id = $2 WHERE id = $1 AND status = 'dialing'`,
};

async function drainInto(
  stack: Stack,
  concurrency: number,
  ids: string[],
  work: (id: string) => Promise<string>,
): Promise<Drained & { cpuUs: number }> {
  const jobs = ids.length;
  const prefix = '{bench-noop}';
  const queue = callsQueue(stack, prefix);
  await addBulk(queue, ids);
  let left = jobs;
  const worker = new Worker(CALLS_QUEUE, (job: Job<DialJob>) => work(job.data.callRequestId), {
    connection: { ...redisOptionsOf(stack.redisUrl), maxRetriesPerRequest: null },
    prefix,
    concurrency,
    autorun: false,
  });
  const done = new Promise<void>((resolve) => worker.on('completed', () => --left === 0 && resolve()));
  await worker.waitUntilReady();
  const cpu = process.cpuUsage();
  const started = performance.now();
  void worker.run();
  await done;
  const seconds = (performance.now() - started) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  await worker.close();
  await queue.close();
  return { jobs, seconds, cpuUs: user + system };
}

/** Calls that are due, and their jobs. The queue is paused before: resume it to begin. */
export async function plantDueCalls(stack: Stack, queue: Queue, group: Group, calls: number): Promise<void> {
  await queue.pause();
  await addBulk(queue, await insertDueCalls(stack, group, calls), 1);
}

async function insertDueCalls(stack: Stack, group: Group, calls: number): Promise<string[]> {
  const { newId } = await callsOfBuild(stack.db);
  const { rows } = await stack.db.query<{ id: string }>(
    `INSERT INTO call_requests (id, team_id, agent_id, contact_id, phone_number, status, variables, accepted_at,
       runs_at, expires_at, woken_at, history)
     SELECT ${newId}, ${SQL.team('team')}, ${SQL.agent('team')}, md5('contact' || n)::uuid, ${SQL.phone('n')},
       'queued', '{"bench": true, "topic": "the appointment"}', now(), now(), now() + interval '1 day', now(),
       jsonb_build_array(jsonb_build_object('at', now(), 'from', null, 'to', 'queued', 'cause', 'triggered'))
     FROM generate_series(${group.firstContact}, ${group.firstContact + calls - 1}) AS n,
       LATERAL (SELECT ${group.firstTeam} + (n - ${group.firstContact}) % ${group.teams} AS team) t
     RETURNING id`,
  );
  return rows.map(({ id }) => id);
}

async function addBulk(queue: Queue, ids: string[], priority?: number): Promise<void> {
  for (let start = 0; start < ids.length; start += IN_BULK) {
    await queue.addBulk(
      ids.slice(start, start + IN_BULK).map((callRequestId) => ({
        name: 'dial',
        data: { callRequestId, generation: 0 },
        opts: { ...DIAL_JOB_OPTIONS, jobId: `call-${callRequestId}-0`, priority },
      })),
    );
  }
}

/**
 * Waits until every planted call has its end, or what the carrier answered to its dial. Gives the time from
 * the first claim to the last of that, by Postgres.
 */
export async function drained(stack: Stack, until: 'dialed' | 'ended' = 'ended'): Promise<Drained> {
  const awaited = until === 'dialed' ? ['dialing'] : ['dialing', 'in_progress', 'dial_unknown'];
  const { pending, underWay } = await callsOfBuild(stack.db);
  for (;;) {
    // As the partial indexes want it.
    const { rows } = await stack.db.query<{ open: boolean }>(
      `SELECT EXISTS (SELECT FROM call_requests WHERE ${pending})
         OR EXISTS (SELECT FROM call_requests WHERE ${underWay} AND status = ANY($1)) AS open`,
      [awaited],
    );
    if (rows[0]?.open === false) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { rows } = await stack.db.query<Drained>(
    `SELECT count(*)::integer AS jobs,
       extract(epoch FROM max((history -> -1 ->> 'at')::timestamptz) - min(claimed_at))::float8 AS seconds
     FROM call_requests WHERE ${MEASURED} AND claimed_at IS NOT NULL`,
  );
  return rows[0] ?? { jobs: 0, seconds: NaN };
}

/** Calls that are due at once, to their ends. */
export async function drainDue(stack: Stack, queue: Queue, group: Group, calls: number): Promise<Drained> {
  await plantDueCalls(stack, queue, group, calls);
  await queue.resume();
  return drained(stack);
}

/**
 * The same before what is measured, and nothing is left of it: workers compile what they do while they do it
 * first.
 */
export async function warmUp(
  stack: Stack,
  queue: Queue,
  group: Group,
  { rounds, calls }: { rounds: number; calls: number },
): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await drainDue(stack, queue, group, calls);
    // No number is called twice in a day.
    await stack.clean();
  }
}

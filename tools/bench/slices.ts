import { type Group } from './data.js';
import { chooseFloor, enrollFloor, type FloorResult, summary, triggerFloor } from './floors.js';
import { GROUPS } from './groups.js';
import { load, type NextRequest } from './load.js';
import {
  addJobs,
  callsQueue,
  drainBareCalls,
  type Drained,
  drained,
  drainNoOps,
  plantDueCalls,
} from './queue-bench.js';
import { enrollments, idsOf, triggers } from './requests.js';
import { type Measured, type Stack } from './stack.js';
import { type Sample } from './table.js';

export const CONNECTIONS = 32;
export const CONCURRENCY = 50;
/** Jobs of one measurement of a worker, by the second that it may take. */
const JOBS_A_SECOND = 1_000;

/**
 * Before each measurement: what stood still while others were measured has cold caches and old connections.
 */
export const WARM_UP_SECONDS = 3;
/** The same for what takes jobs. */
const WARM_UP_JOBS = 2_000;

/**
 * The longest there is: after its answer nothing more is heard of such a call until the benchmark is over.
 */
const RINGS_ON_MS = '3600000';

/** One thing to measure, for a few seconds at a time. */
export interface Slice {
  name: string;
  run(): Promise<Sample>;
}

/** Starts every process, and says how each thing is measured. */
export async function slicesOf(
  stack: Stack,
  seconds: number,
): Promise<{ slices: Slice[]; floorName: string }> {
  const ids = await idsOf(stack.db, Object.values(GROUPS));
  const floor = chooseFloor(stack.databaseUrl, stack.directory);
  const { hundred, one, oneLimited, hundredLimited } = GROUPS;
  const api = await stack.startApi();
  const apiWithoutRls = await stack.startApi({ ROW_LEVEL_SECURITY: 'off' });
  const naive = await stack.startProgram('tools/bench/shells/naive', 'PORT', '/health/ready');
  const bare = await stack.startProgram('tools/bench/shells/bare', 'PORT', '/health/ready');

  const startWorker = async (env: NodeJS.ProcessEnv) => {
    const dialer = await stack.startWorker({ WORKER_CONCURRENCY: String(CONCURRENCY), ...env });
    dialer.program.freeze();
    return dialer;
  };
  const ringing = await startWorker({ SIMULATOR_RING_MS: RINGS_ON_MS });
  const ending = await startWorker({});

  const floorSlice = (name: string, statement: string): Slice => ({
    name,
    run: () =>
      measured(stack, [], () =>
        floor.run(statement, hundred.contacts, CONNECTIONS, WARM_UP_SECONDS, seconds),
      ),
  });
  const http = (name: string, target: Measured, next: NextRequest): Slice => ({
    name,
    run: async () => {
      await requests(name, target, next, WARM_UP_SECONDS);
      return measured(stack, [target], () => requests(name, target, next, seconds));
    },
  });
  const trigger = (name: string, target: Measured, group: Group) =>
    http(name, target, triggers(target.url, group, ids));

  return {
    floorName: floor.name,
    slices: [
      floorSlice('floor', triggerFloor(hundred.teams)),
      trigger('trigger', api, hundred),
      trigger('bare Nest', bare, hundred),
      trigger('naive', naive, hundred),
      trigger('trigger, no RLS', apiWithoutRls, hundred),
      trigger('trigger, one team', api, one),
      withoutForeignKeys(stack, trigger('trigger, one, no FKs', api, one)),
      trigger('trigger, one, plan', api, oneLimited),
      trigger('trigger, 100, plan', api, hundredLimited),
      floorSlice('enroll floor', enrollFloor(hundred.teams)),
      http('enroll', api, enrollments(api.url, hundred, ids)),
      { name: 'BullMQ add', run: () => bullAdd(stack, seconds) },
      { name: 'BullMQ no-op', run: () => bullNoOp(stack, seconds) },
      { name: 'worker floor', run: () => workerFloor(stack, seconds) },
      { name: 'worker', run: () => worker(stack, ringing, seconds, 'dialed') },
      { name: 'worker, to the end', run: () => worker(stack, ending, seconds, 'ended') },
    ],
  };
}

/** What calls refer to is not looked at meanwhile, and with it the rows of their team are not locked. */
function withoutForeignKeys(stack: Stack, slice: Slice): Slice {
  return {
    name: slice.name,
    run: async () => {
      const { rows } = await stack.db.query<{ name: string; definition: string }>(
        `SELECT conname AS name, pg_get_constraintdef(oid) AS definition
         FROM pg_constraint WHERE conrelid = 'call_requests'::regclass AND contype = 'f'`,
      );
      for (const key of rows) await stack.db.query(`ALTER TABLE call_requests DROP CONSTRAINT ${key.name}`);
      const sample = await slice.run();
      for (const key of rows) {
        await stack.db.query(`ALTER TABLE call_requests ADD CONSTRAINT ${key.name} ${key.definition}`);
      }
      return sample;
    },
  };
}

async function requests(
  name: string,
  target: Measured,
  next: NextRequest,
  seconds: number,
): Promise<FloorResult> {
  const result = await load(target.url, CONNECTIONS, seconds, next);
  const bad = Object.entries(result.statuses).filter(([status]) => status !== '200');
  if (bad.length > 0) throw new Error(`${name}: ${JSON.stringify(result.statuses)}`);
  return { ...result, all: result.requests };
}

async function measured(stack: Stack, targets: Measured[], run: () => Promise<FloorResult>): Promise<Sample> {
  const pids = targets.map(({ program }) => program.pid ?? 0);
  const before = stack.cpu(pids);
  const result = await run();
  const after = stack.cpu(pids);
  const each = (used: keyof typeof before) => (after[used] - before[used]) / result.all;
  return { ...summary(result), node: each('node'), postgres: each('postgres'), redis: each('redis') };
}

async function bullAdd(stack: Stack, seconds: number): Promise<Sample> {
  const before = stack.cpu([]);
  const { jobs, seconds: took, p50, p99, cpuUs } = await addJobs(stack, CONNECTIONS, seconds);
  const redis = (stack.cpu([]).redis - before.redis) / jobs;
  return { perSecond: jobs / took, p50, p99, node: cpuUs / jobs, postgres: NaN, redis };
}

async function bullNoOp(stack: Stack, seconds: number): Promise<Sample> {
  await drainNoOps(stack, CONCURRENCY, WARM_UP_JOBS);
  return drain(stack, () => drainNoOps(stack, CONCURRENCY, seconds * JOBS_A_SECOND * 4));
}

async function workerFloor(stack: Stack, seconds: number): Promise<Sample> {
  await drainBareCalls(stack, CONCURRENCY, GROUPS.hundred, WARM_UP_JOBS);
  await stack.clean();
  return drain(stack, () => drainBareCalls(stack, CONCURRENCY, GROUPS.hundred, seconds * JOBS_A_SECOND));
}

async function drain(stack: Stack, run: () => Promise<Drained & { cpuUs: number }>): Promise<Sample> {
  const before = stack.cpu([]);
  const { jobs, seconds: took, cpuUs } = await run();
  const after = stack.cpu([]);
  // Adding them is in these figures, too.
  const each = (used: 'postgres' | 'redis') => (after[used] - before[used]) / jobs;
  return {
    perSecond: jobs / took,
    p50: NaN,
    p99: NaN,
    node: cpuUs / jobs,
    postgres: each('postgres'),
    redis: each('redis'),
  };
}

/** The worker stands still while others are measured: it would take the jobs of their calls. */
async function worker(
  stack: Stack,
  target: Measured,
  seconds: number,
  until: 'dialed' | 'ended',
): Promise<Sample> {
  target.program.thaw();
  const queue = callsQueue(stack);
  const jobs = seconds * JOBS_A_SECOND;
  await plantDueCalls(stack, queue, GROUPS.hundred, WARM_UP_JOBS);
  await ready(target);
  await queue.resume();
  await drained(stack, until);
  await stack.clean();
  await plantDueCalls(stack, queue, GROUPS.hundred, jobs);
  const pids = [target.program.pid ?? 0];
  const before = stack.cpu(pids);
  await queue.resume();
  const { seconds: took } = await drained(stack, until);
  const after = stack.cpu(pids);
  await queue.close();
  target.program.freeze();
  const each = (used: keyof typeof before) => (after[used] - before[used]) / jobs;
  return {
    perSecond: jobs / took,
    p50: NaN,
    p99: NaN,
    node: each('node'),
    postgres: each('postgres'),
    redis: each('redis'),
  };
}

/** Its connections may have been given up while it stood still. */
async function ready({ url }: Measured): Promise<void> {
  const deadline = performance.now() + 20_000;
  for (;;) {
    const answer = await fetch(`${url}/health/ready`).catch(() => undefined);
    if (answer?.ok === true) return;
    if (performance.now() > deadline) throw new Error('the worker does not come back');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

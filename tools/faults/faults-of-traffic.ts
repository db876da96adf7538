import { randomUUID } from 'node:crypto';
import { dialJobId } from '../../src/queue/call-jobs.js';
import { type DialJob } from '../../src/queue/wake-ups.js';
import { pause } from '../services/run.js';
import { anyWorker, type Fault, type FaultContext } from './fault.js';
import { SIMULATOR_RULES } from './tenants.js';

const CARRIER_TIMEOUT_MS = 5_000;

/** Every dial meanwhile has this outcome. */
function everyDial(name: string, outcome: string, ms: number): Fault {
  return {
    name,
    kind: 'traffic',
    inject: async ({ world }) => {
      await world.setRules([{ match: '*', outcome }]);
      await pause(ms);
      await world.setRules(SIMULATOR_RULES);
    },
  };
}

/** Jobs that the queue should not deliver, for calls that `where` finds. */
function strayJobs(
  name: string,
  where: string,
  stray: (job: DialJob) => { data: DialJob; jobId: string; delay?: number }[],
): Fault {
  return {
    name,
    kind: 'traffic',
    inject: async ({ world }) => {
      const { rows } = await world.db.query<DialJob>(
        `SELECT id AS "callRequestId", generation FROM call_requests WHERE ${where} ORDER BY accepted_at DESC LIMIT 10`,
      );
      if (rows.length === 0) throw new Error('no such call now');
      await world.addJobs(rows.flatMap(stray));
    },
  };
}

const again = (times: number) => (job: DialJob) =>
  Array.from({ length: times }, () => ({ data: job, jobId: `stray-${randomUUID()}` }));

/** A connection to Postgres is cut at a moment of a transaction. */
function cutAt(name: string, pick: (context: FaultContext) => Promise<unknown>): Fault {
  return { name, kind: 'traffic', inject: async (context) => void (await pick(context)) };
}

export const FAULTS_OF_TRAFFIC: Fault[] = [
  cutAt('claim lost before its commit', (context) =>
    anyWorker(context).postgres.atNext('claim committing', (_, link) => link.cut()),
  ),
  cutAt('claim committed, its answer lost', (context) =>
    anyWorker(context).postgres.atNext('claim committed', (_, link) => link.cut()),
  ),
  cutAt('call committed, its answer lost', ({ world }) =>
    world.api.postgres.atNext('call committed', (_, link) => link.cut()),
  ),
  // Twice and ten times, among them calls that are being dialed at that moment.
  strayJobs('job delivered twice', `status <> 'scheduled'`, again(1)),
  strayJobs('job delivered ten times', `status <> 'scheduled'`, again(10)),
  {
    name: 'job delivered while its call is being dialed',
    kind: 'traffic',
    inject: async (context) => {
      const { world } = context;
      await anyWorker(context).carrier.atNext('dial answered', async (id) => {
        const { rows } = await world.db.query<DialJob>(
          'SELECT id AS "callRequestId", generation FROM call_requests WHERE id = $1',
          [id],
        );
        await world.addJobs(rows.flatMap(again(2)));
        await pause(500);
      });
    },
  },
  strayJobs('job delivered late, for a final call', `ended_at IS NOT NULL`, again(1)),
  strayJobs('job delivered early', `status = 'scheduled'`, again(2)),
  strayJobs('job of an old generation', `status IN ('scheduled', 'queued')`, (job) =>
    again(1)({ ...job, generation: job.generation - 1 }),
  ),
  strayJobs('job of a generation to come', `status IN ('scheduled', 'queued')`, (job) => {
    const data = { ...job, generation: job.generation + 1 };
    return [{ data, jobId: dialJobId(data) }];
  }),
  {
    name: 'job for a deleted call',
    kind: 'traffic',
    inject: ({ world }) =>
      world.addJobs([
        { data: { callRequestId: randomUUID(), generation: 0 }, jobId: `stray-${randomUUID()}` },
      ]),
  },
  everyDial('carrier answers 5xx', 'error', 1_500),
  everyDial('carrier resets', 'reset', 1_500),
  everyDial('carrier answers after the timeout', 'late', 500),
  everyDial('carrier throttles', 'throttled', 1_500),
  everyDial('callbacks twice', 'duplicate', 1_500),
  everyDial('callbacks out of order', 'disorder', 1_500),
  everyDial('callbacks never', 'silent', 1_000),
  {
    name: 'carrier hanging past the timeout',
    kind: 'traffic',
    inject: async ({ world }) => {
      const proxies = world.workers.map(({ carrier }) => carrier);
      for (const proxy of proxies) proxy.blackhole();
      await pause(CARRIER_TIMEOUT_MS + 1_000);
      for (const proxy of proxies) proxy.heal();
    },
  },
  {
    name: 'carrier unreachable',
    kind: 'traffic',
    inject: async ({ world }) => {
      const proxies = world.workers.map(({ carrier }) => carrier);
      for (const proxy of proxies) proxy.refuse();
      await pause(1_500);
      for (const proxy of proxies) proxy.heal();
    },
  },
  {
    name: 'carrier not listening',
    kind: 'traffic',
    inject: async ({ world }) => {
      const proxies = world.workers.map(({ carrier }) => carrier);
      for (const proxy of proxies) proxy.stopListening();
      await pause(3_000);
      await Promise.all(proxies.map((proxy) => proxy.listen()));
    },
  },
  {
    name: 'carrier answer lost',
    kind: 'traffic',
    inject: async (context) => {
      await anyWorker(context).carrier.atNext('dial answered', (_, link) => link.cut());
    },
  },
];

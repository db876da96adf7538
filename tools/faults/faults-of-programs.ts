import { pause } from '../services/run.js';
import { clockModule } from './clock-module.js';
import {
  anyWorker,
  assertFault,
  type Fault,
  type FaultContext,
  lockHeldMs,
  statusAfterDialing,
  statusOf,
  wasDialed,
} from './fault.js';
import { type MomentHandler } from './moments.js';
import { SIMULATOR_RULES } from './tenants.js';
import { type Node } from './world.js';

const DIAL_WITHIN_MS = 5_000;
const COMMIT_TIMEOUT_MS = 7_000;
const LOCK_DURATION_MS = 30_000;
const HOUR_MS = 3_600_000;
/** Postgres looks at its timeouts now and then, and this machine may be busy. */
const MARGIN_MS = 2_500;

/** Kills a worker where `reach` says, and starts it again. */
function workerKilled(
  name: string,
  reach: (worker: Node, kill: () => Promise<void>) => Promise<unknown>,
): Fault {
  return {
    name: `worker killed ${name}`,
    kind: 'programs',
    inject: async (context) => {
      const worker = anyWorker(context);
      try {
        await reach(worker, () => worker.program.kill());
      } finally {
        if (!worker.program.running) await worker.program.start();
      }
    },
  };
}

/** What is on its way does not arrive any more. */
function unsent(kill: () => Promise<void>): MomentHandler {
  return (_, link) => {
    link.cut();
    return kill();
  };
}

/** Stops a worker where `reach` says, for a while. */
async function frozen(
  worker: Node,
  reach: (freeze: () => void) => Promise<string>,
  meanwhile: (id: string) => Promise<void>,
): Promise<string> {
  try {
    const id = await reach(() => worker.program.freeze());
    await meanwhile(id);
    return id;
  } finally {
    worker.program.thaw();
  }
}

async function stoppedAfterClaim(context: FaultContext, stopMs: number): Promise<void> {
  const { world, single } = context;
  const worker = anyWorker(context);
  const id = await frozen(
    worker,
    (freeze) => worker.postgres.atNext('claim committed', freeze),
    () => pause(stopMs),
  );
  if (!single) return;
  const status = await statusAfterDialing(world, id);
  assertFault(!(await wasDialed(world, id)), `${id} was dialed ${stopMs} ms after its claim`);
  // After long the commit has timed out by the worker's clock, so that it does not know of its own claim.
  const right = status === 'failed' || (status === 'dial_unknown' && stopMs > COMMIT_TIMEOUT_MS);
  assertFault(right, `${id}, not dialed in time, is ${status}`);
}

async function skewedClock(context: FaultContext, offsetMs: number): Promise<void> {
  const worker = anyWorker(context);
  await worker.program.terminate();
  await worker.program.start(['--require', await clockModule(context.world.directory, offsetMs)]);
  await pause(5_000);
  await worker.program.terminate();
  await worker.program.start();
}

export const FAULTS_OF_PROGRAMS: Fault[] = [
  workerKilled('before the claim', (worker, kill) => worker.postgres.atNext('claim sent', unsent(kill))),
  workerKilled('in the middle of the claim', async (worker, kill) => {
    let killed = Promise.resolve();
    await worker.postgres.atNext('claim committing', () => {
      killed = pause(1).then(kill);
    });
    await killed;
  }),
  workerKilled('between claim and carrier', (worker, kill) =>
    worker.postgres.atNext('claim committed', kill),
  ),
  workerKilled('on its way to the carrier', (worker, kill) =>
    worker.carrier.atNext('dial sent', unsent(kill)),
  ),
  workerKilled('between carrier and record', (worker, kill) => worker.carrier.atNext('dial answered', kill)),
  {
    name: 'worker killed between a 429 and its record',
    kind: 'programs',
    inject: async (context) => {
      const { world, single } = context;
      const worker = anyWorker(context);
      let id: string;
      try {
        await world.setRules([{ match: '*', outcome: 'throttled' }]);
        id = await worker.carrier.atNext('dial answered', () => worker.program.kill());
      } finally {
        await world.setRules(SIMULATOR_RULES);
        if (!worker.program.running) await worker.program.start();
      }
      if (!single) return;
      const status = await statusOf(world, id);
      assertFault(
        ['dialing', 'dial_unknown'].includes(status ?? ''),
        `${id}, throttled unheard, is ${status}`,
      );
      assertFault(!(await wasDialed(world, id)), `${id} was dialed again after its 429 was lost`);
    },
  },
  workerKilled('at random', async (_, kill) => kill()),
  {
    name: 'worker stopped after its claim',
    kind: 'programs',
    // Well below the timeout of the commit, which began earlier.
    inject: (context) => stoppedAfterClaim(context, DIAL_WITHIN_MS + 250),
  },
  {
    name: 'worker stopped for a minute after its claim',
    kind: 'programs',
    slow: true,
    inject: (context) => stoppedAfterClaim(context, 60_000),
  },
  {
    name: 'worker stopped between its round trips',
    kind: 'programs',
    inject: async (context) => {
      const { world, single } = context;
      const worker = anyWorker(context);
      await frozen(
        worker,
        (freeze) => worker.postgres.atNext('facts answered', freeze),
        async (id) => {
          if (!single) return pause(2_000);
          const heldMs = await lockHeldMs(context, id);
          assertFault(
            heldMs <= DIAL_WITHIN_MS + MARGIN_MS,
            `a stopped worker held a number for ${heldMs} ms`,
          );
          const { rows } = await world.db.query<{ team_id: string; phone_number: string }>(
            'SELECT team_id, phone_number FROM call_requests WHERE id = $1',
            [id],
          );
          const tenant = world.tenants.find(({ teamId }) => teamId === rows[0]?.team_id);
          if (!tenant) return;
          const { status, ms } = await world.client.trigger(tenant, rows[0]?.phone_number ?? '');
          assertFault(
            status !== null && ms < MARGIN_MS,
            `a trigger for that number took ${Math.round(ms)} ms`,
          );
        },
      );
    },
  },
  {
    name: 'worker stalled past the lock of its job',
    kind: 'programs',
    slow: true,
    inject: async (context) => {
      const worker = anyWorker(context);
      // Its job is given to the other worker meanwhile.
      await frozen(
        worker,
        (freeze) => worker.carrier.atNext('dial answered', freeze),
        () => pause(2 * LOCK_DURATION_MS + 5_000),
      );
    },
  },
  {
    name: 'worker with a clock an hour ahead',
    kind: 'programs',
    inject: (context) => skewedClock(context, HOUR_MS),
  },
  {
    name: 'worker with a clock an hour behind',
    kind: 'programs',
    inject: (context) => skewedClock(context, -HOUR_MS),
  },
  {
    name: 'SIGTERM during a dial',
    kind: 'programs',
    inject: async (context) => {
      const { world, single } = context;
      const worker = anyWorker(context);
      let ended: Promise<number | null> = Promise.resolve(null);
      const id = await worker.carrier.atNext('dial answered', async () => {
        ended = worker.program.terminate();
        await pause(1_500);
      });
      const code = await ended;
      try {
        if (!single) return;
        // By the signal itself once everything is closed, or by an exit of its own.
        assertFault(code === 0 || code === null || code === 143, `the worker ended with ${code}`);
        const status = await statusOf(world, id);
        assertFault(status !== 'dialing', `${id} was still dialing when its worker had ended`);
      } finally {
        await worker.program.start();
      }
    },
  },
  {
    name: 'API killed between commit and enqueue',
    kind: 'programs',
    inject: async ({ world }) => {
      const { program, postgres } = world.api;
      try {
        await postgres.atNext('call committed', () => program.kill());
      } finally {
        if (!program.running) await program.start();
      }
    },
  },
  {
    name: 'API killed at random',
    kind: 'programs',
    inject: async ({ world }) => {
      await world.api.program.kill();
      await world.api.program.start();
    },
  },
  {
    name: 'API stopped, so that no callback is taken',
    kind: 'programs',
    inject: async ({ world }) => {
      world.api.program.freeze();
      await pause(3_000);
      world.api.program.thaw();
    },
  },
];

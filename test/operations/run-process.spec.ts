import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from 'pg';
import { repositoryRoot } from '../../tools/services/paths.js';
import { createWorld, type World } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { RealProcesses } from '../support/processes.js';

let world: World;
let processes: RealProcesses;

beforeAll(async () => {
  world = await createWorld();
  processes = await RealProcesses.of(world);
}, 120_000);
afterAll(async () => {
  await processes.close();
  await world.close();
});

/** How a program ends to which SIGTERM is sent while it does not read its events. */
async function endOf(start: string): Promise<{ code: number | null; output: string }> {
  const program = `
    const { runProcess } = require(${JSON.stringify(join(repositoryRoot(), 'dist/src/operations/run-process.js'))});
    const logger = { log: (line) => console.log(line), error: (line) => console.log(line) };
    const app = { close: async () => console.log('closed') };
    const block = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    setInterval(() => undefined, 1_000);
    runProcess(async (signals) => { ${start} });`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

test('a signal that arrives before the stop is arranged is not lost', async () => {
  const { code, output } = await endOf(`
    signals.hold();
    require('node:fs').writeSync(1, 'begun\\n');
    block(1_000);
    signals.stopInOrder(app, logger);`);
  expect({ code, output }).toEqual({ code: 0, output: 'begun\nSIGTERM: stopping\nclosed\n' });
});

test('a signal while work has begun waits until the start is over', async () => {
  const { code, output } = await endOf(`
    signals.hold();
    console.log('begun');
    await new Promise((resolve) => process.once('SIGTERM', () => setTimeout(resolve, 50)));
    console.log('started');
    signals.stopInOrder(app, logger);`);
  expect({ code, output }).toEqual({ code: 0, output: 'begun\nstarted\nSIGTERM: stopping\nclosed\n' });
});

test('a signal before any work ends the process at once', async () => {
  const { code, output } = await endOf(`
    console.log('waits');
    await new Promise(() => undefined);`);
  expect({ code, output }).toEqual({ code: 0, output: 'waits\n' });
});

test.each(['api', 'worker'] as const)(
  'the %s exits with 0 if it is stopped while its start waits for a lock in Postgres',
  async (kind) => {
    const holder = new Client({ connectionString: world.config.databaseUrl });
    await holder.connect();
    try {
      await holder.query('BEGIN; LOCK TABLE database_identity IN ACCESS EXCLUSIVE MODE');
      const running = await processes.begin(kind);
      await eventually(
        async () => {
          const { rows } = await holder.query<{ count: number }>(
            `SELECT count(*)::integer FROM pg_locks WHERE NOT granted
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
          );
          return rows[0]!.count;
        },
        (count) => count > 0,
        30_000,
      );
      running.child.kill('SIGTERM');
      expect([(await running.ended).code, running.output()]).toEqual([
        0,
        expect.not.stringContaining('Cannot use a pool'),
      ]);
    } finally {
      await holder.end();
    }
  },
);

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from '../../tools/services/ports.js';
import {
  buildIfNeeded,
  type RunningProcess,
  startProgram,
  waitForReady,
} from '../../tools/stack/processes.js';
import { createWorld, OPERATOR_TOKEN, type World } from '../support/app.js';
import { buildCaller } from '../support/call-builders.js';
import { bearer } from '../support/calling.js';
import { eventually } from '../support/eventually.js';
import { parseLines } from './log-lines.js';

let world: World;

beforeAll(async () => {
  await buildIfNeeded();
  world = await createWorld();
}, 120_000);
afterAll(() => world.close());

interface Started {
  program: RunningProcess;
  url: string;
  output(): string;
  errors(): string;
}

async function start(kind: 'api' | 'worker', env: NodeJS.ProcessEnv): Promise<Started> {
  const port = String(await freePort());
  const program = startProgram(kind, kind === 'api' ? 'src/main' : 'src/worker', {
    stdio: 'pipe',
    env: {
      PATH: process.env.PATH,
      PORT: port,
      WORKER_PORT: port,
      DATABASE_URL: world.config.databaseUrl,
      REDIS_URL: world.config.redisUrl,
      REDIS_PREFIX: world.config.redisPrefix,
      OPERATOR_TOKEN,
      CARRIER: 'simulator',
      ...env,
    },
  });
  const texts = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    program.child[stream]?.on('data', (chunk: Buffer) => (texts[stream] += chunk.toString()));
  }
  const url = `http://127.0.0.1:${port}`;
  await waitForReady(`${url}/health/ready`, 20_000);
  return { program, url, output: () => texts.stdout, errors: () => texts.stderr };
}

async function trigger(url: string, requestId: string): Promise<void> {
  const caller = await buildCaller(world.db);
  const answer = await fetch(`${url}/api/voice-agents/${caller.agentId}/calls`, {
    method: 'POST',
    headers: { ...bearer(caller.apiKey), 'X-Request-Id': requestId, 'Content-Type': 'application/json' },
    body: JSON.stringify({ phoneNumber: '+14155552671', name: 'Ada Lovelace' }),
  });
  expect(answer.status).toBe(200);
}

test('in production API and worker write only JSON, with one id for one call', async () => {
  const env = { NODE_ENV: 'production' };
  const [api, worker] = [await start('api', env), await start('worker', env)];
  try {
    await trigger(api.url, 'from-the-crm');
    await eventually(
      () => Promise.resolve(worker.output()),
      (text) => text.includes('"msg":"dial"'),
    );
  } finally {
    await Promise.all([api.program.stop(), worker.program.stop()]);
  }
  const ofCall = (text: string) => parseLines(text).filter(({ requestId }) => requestId === 'from-the-crm');
  expect(ofCall(api.output())).toMatchObject([{ process: 'api', msg: 'request', status: 200 }]);
  expect(ofCall(worker.output())).toMatchObject([{ process: 'worker', msg: 'dial', result: 'claimed' }]);
  expect([api.errors(), worker.errors()]).toEqual(['', '']);
  expect(api.output() + worker.output()).not.toMatch(/4155552671|Lovelace|health/);
});

test('in development the lines are readable text', async () => {
  const api = await start('api', { NODE_ENV: 'development' });
  try {
    await trigger(api.url, 'from-the-crm');
    await eventually(
      () => Promise.resolve(api.output()),
      (text) => text.includes('from-the-crm'),
    );
  } finally {
    await api.program.stop();
  }
  expect(api.output()).toMatch(/^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: \[Http\] request .*from-the-crm/m);
  expect(api.errors()).toBe('');
});

test.each(['throw error', 'Promise.reject(error)'])(
  'an uncaught error ends the process: %s',
  async (fault) => {
    const program = `
    const { createLogger } = require('./dist/src/telemetry/logger.js');
    const { logUncaught } = require('./dist/src/operations/run-process.js');
    logUncaught(createLogger({ nodeEnv: 'production', logLevel: 'info' }, 'worker'));
    const error = Object.assign(new Error('duplicate'), {
      severity: 'ERROR', code: '23505', detail: 'Key (phone_number)=(+14155552671) already exists.',
    });
    setTimeout(() => { ${fault}; }, 1);
    setTimeout(() => {}, 10_000);`;
    const child = spawn(process.execPath, ['-e', program], { cwd: join(__dirname, '../..') });
    let [output, errors] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    expect([await once(child, 'close'), errors]).toEqual([[1, null], '']);
    expect(parseLines(output)).toMatchObject([{ level: 'fatal', context: 'Process', process: 'worker' }]);
    expect(output).toContain('23505');
    expect(output).not.toContain('4155552671');
  },
);

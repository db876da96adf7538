import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { freePort } from '../../tools/services/ports.js';
import { createWorld, type World } from '../support/app.js';
import { buildCaller, type Caller } from '../support/call-builders.js';

/*
 * The package as an integrator gets it: packed, installed in an empty folder, and its README's examples run
 * as they stand.
 */

const root = resolve(__dirname, '../..');
const sdk = join(root, 'sdk');
const run = promisify(execFile);
/** For npm and a compiler on a busy machine. */
const PATIENCE_MS = 300_000;

const folder = mkdtempSync(join(tmpdir(), 'outdial-package-'));
let world: World;
let caller: Caller;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: sdk });
  const [tarball = ''] = readdirSync(folder);
  await run('npm', ['install', `./${tarball}`, '--offline', '--no-audit', '--no-fund'], { cwd: folder });
  world = await createWorld();
  const api = await world.startApi();
  await world.startWorker();
  caller = await buildCaller(world.db);
  env = { PATH: process.env.PATH, OUTDIAL_URL: await api.getUrl(), OUTDIAL_API_KEY: caller.apiKey };
}, PATIENCE_MS);
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true });
});

/**
 * The README calls one number twice. The API refuses the second call as `RECENTLY_CALLED` only after it has
 * claimed the first one.
 */
const CALL_ENDED = `
while ((await outdial.calls.get(accepted.callRequestId)).endedAt === null) {
  await new Promise((resolve) => setTimeout(resolve, 20));
}
`;

/**
 * The TypeScript of the README: what follows the first block goes on with it, and a block that names a file
 * is that file.
 */
function examples(): Record<string, string> {
  const page = readFileSync(join(sdk, 'README.md'), 'utf8');
  const blocks = [...page.matchAll(/^```ts\n(.*?)^```/gms)].map(([, block = '']) => block);
  const isFile = (block: string) => block.startsWith('// receiver.ts\n');
  return {
    'examples.ts': blocks
      .filter((block) => !isFile(block))
      .map((block) => (block.includes("'RECENTLY_CALLED'") ? CALL_ENDED + block : block))
      .join('\n'),
    'receiver.ts': blocks.filter(isFile).join('\n'),
  };
}

test('the package has its build, its README and nothing else, and depends on nothing', () => {
  const installed = join(folder, 'node_modules/@outdial/client');
  expect(readdirSync(installed).sort()).toEqual(['README.md', 'dist', 'package.json']);
  expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    '@outdial',
  ]);
  expect(existsSync(join(installed, 'dist/index.d.ts'))).toBe(true);
});

/** What the types tell apart, and what they refuse. */
const TYPED = `
import { Outdial, type WebhookEvent } from '@outdial/client';
export async function typed(outdial: Outdial, event: WebhookEvent, id: string): Promise<unknown[]> {
  const accepted = await outdial.calls.create(id, { phoneNumber: '+14155550142', order: { id: 4711 } });
  const runsAt: string | undefined = accepted.runsAt;
  const url: string | null = event.type === 'webhook.test' ? event.data.url : null;
  const status: string | null = event.type === 'call.ended' ? event.data.status : null;
  // @ts-expect-error a number is a text
  await outdial.calls.create(id, { phoneNumber: 14155550142 });
  // @ts-expect-error no status of a call
  outdial.calls.list({ status: 'done' });
  // @ts-expect-error this operation takes no key
  await outdial.calls.cancel(id, { idempotencyKey: 'order-4711' });
  // @ts-expect-error no type of events
  outdial.events.list({ types: ['call.began'] });
  return [runsAt, url, status];
}
`;

test('CommonJS can load it, where Node loads ES modules so', async () => {
  const script = `console.log(typeof require('@outdial/client').Outdial)`;
  const { stdout } = await run(process.execPath, ['-e', script], { cwd: folder });
  expect(stdout.trim()).toBe('function');
});

test(
  'the README’s examples compile, run against a running API, and do what they say',
  async () => {
    const sources = { ...examples(), 'typed.ts': TYPED };
    for (const [name, source] of Object.entries(sources)) writeFileSync(join(folder, name), source);
    const compilerOptions = {
      strict: true,
      target: 'ES2023',
      lib: ['ES2023'],
      module: 'nodenext',
      rootDir: '.',
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as object;
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, type: 'module' }));
    const compiled = await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.'], {
      cwd: folder,
    }).catch((error: { stdout: string }) => ({ stdout: error.stdout }));
    expect(compiled.stdout).toBe('');

    const { stdout } = await run(process.execPath, ['examples.js'], { cwd: folder, env });
    expect(stdout).toMatch(/ is due at once\n/);
    expect(stdout).toContain('The number was called in the last 12 hours');
    expect(stdout).toContain('finished 1 1\nrow 2: phoneNumber');
    expect(stdout).toMatch(/\+14155550143 \{ plan: 'gold' \}/);
    expect(readFileSync(join(folder, 'calls.csv'), 'utf8')).toContain('+14155550146');
    const calls = await world.db.query<object[]>(`SELECT FROM call_requests WHERE team_id = $1`, [
      caller.teamId,
    ]);
    expect(calls.length).toBeGreaterThan(0);
    await receives();
  },
  PATIENCE_MS,
);

/** The README's receiver takes what is signed, and refuses what is not. */
async function receives(): Promise<void> {
  const secret = `whsec_${Buffer.from('a secret of this test').toString('base64')}`;
  const port = await freePort();
  const receiver = spawn(process.execPath, ['receiver.js'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...env, PORT: String(port), OUTDIAL_WEBHOOK_SECRET: secret },
  });
  const ended = new Promise((resolve) => receiver.once('exit', resolve));
  try {
    const body = JSON.stringify({ id: 'event-1', type: 'call.ended' });
    const at = new Date();
    const headers = {
      'webhook-id': 'event-1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign('event-1', at, body),
    };
    const printed = createInterface({ input: receiver.stdout })[Symbol.asyncIterator]();
    const post = (sent: string) => fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body: sent });
    const answer = await answered(() => post(body));
    expect(answer.status).toBe(204);
    expect((await printed.next()).value).toBe('call.ended event-1');
    expect((await post('{}')).status).toBe(400);
  } finally {
    receiver.kill();
    await ended;
  }
}

/** The first answer of a process that is starting. */
async function answered(ask: () => Promise<Response>): Promise<Response> {
  for (;;) {
    try {
      return await ask();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { placeCallBounded } from '../../src/carriers/bounded.js';
import { RemoteSimulatorCarrier } from '../../src/carriers/simulator/remote-simulator.carrier.js';
import { buildIfNeeded } from '../../tools/stack/processes.js';
import { aDial, readDialLog, temporaryDirectory } from './support.js';

const root = resolve(__dirname, '../..');

describe('tools/simulator.ts', () => {
  const directory = temporaryDirectory();
  const dialLog = join(directory.path, 'dials.log');
  const children: ChildProcess[] = [];

  beforeAll(buildIfNeeded, 60_000);
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });
  afterAll(() => directory.remove());

  const run = (env: Record<string, string>) => {
    const child = spawn(process.execPath, [join(root, 'dist/tools/simulator.js')], {
      env: { SIMULATOR_PORT: '0', SIMULATOR_DIAL_LOG: dialLog, SIMULATOR_ACCEPT_MS: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    return { child, errors: () => errors };
  };

  const start = async (env: Record<string, string> = {}) => {
    const { child, errors } = run(env);
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
    const [line] = (await once(lines, 'line')) as [string];
    const { listening } = JSON.parse(line) as { listening: number };
    const url = `http://127.0.0.1:${listening}`;
    return { child, errors, url, carrier: new RemoteSimulatorCarrier({ url }) };
  };

  it('appends whole lines to a dial log that two processes share, also after SIGKILL', async () => {
    const first = await start();
    const second = await start();
    const dials = Array.from({ length: 60 }, (_, n) =>
      placeCallBounded((n % 2 === 0 ? first : second).carrier, aDial('+14155550100', n)),
    );
    const results = await Promise.all(dials);
    for (const { child } of [first, second]) child.kill('SIGKILL');
    const logged = new Set(readDialLog(dialLog).map(({ carrierCallId }) => carrierCallId));
    expect(logged.size).toBe(60);
    for (const result of results) {
      expect(result.kind === 'accepted' && logged.has(result.carrierCallId)).toBe(true);
    }
  });

  it('continues outcomes after SIGKILL and restart, for any worker', async () => {
    const env = {
      SIMULATOR_DIAL_LOG: join(directory.path, 'sequence.log'),
      SIMULATOR_RULES: '[{"match":"*","outcomes":["no_answer","busy","completed"]}]',
    };
    for (let n = 1; n <= 2; n += 1) {
      const { child, carrier } = await start(env);
      await placeCallBounded(carrier, aDial('+14155550100', n));
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    const { carrier, url } = await start(env);
    const other = new RemoteSimulatorCarrier({ url });
    await placeCallBounded(carrier, aDial('+14155550100', 3));
    await placeCallBounded(other, aDial('+14155550100', 4));
    await placeCallBounded(other, aDial('+14155550101', 5));
    await placeCallBounded(carrier, aDial('+14155550101', 6));
    expect(readDialLog(env.SIMULATOR_DIAL_LOG).map(({ to, outcome }) => [to, outcome])).toEqual([
      ['+14155550100', 'no_answer'],
      ['+14155550100', 'busy'],
      ['+14155550100', 'completed'],
      ['+14155550100', 'completed'],
      ['+14155550101', 'no_answer'],
      ['+14155550101', 'busy'],
    ]);
  });

  it('has the test destinations without rules', async () => {
    const log = join(directory.path, 'destinations.log');
    const { carrier } = await start({ SIMULATOR_DIAL_LOG: log });
    for (const [n, to] of ['+15005550101', '+15005550107', '+15005550107', '+15005550199'].entries()) {
      await placeCallBounded(carrier, aDial(to, n));
    }
    const outcomes = readDialLog(log).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['busy', 'no_answer', 'completed', 'completed']);
  });

  it('logs that no telephone rings, and ends on SIGTERM during calls', async () => {
    const { child, errors, carrier } = await start();
    await placeCallBounded(carrier, aDial());
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(errors()).toContain('NO TELEPHONE WILL RING');
  });

  it.each([
    [{ SIMULATOR_RULES: '[{"match":"*"}]' }, 'SIMULATOR_RULES: rules[0].outcome: is missing'],
    [{ SIMULATOR_RING_MS: 'soon' }, 'SIMULATOR_RING_MS: must be a whole number'],
    [{ SIMULATOR_CALLBACK_URL: 'localhost' }, 'SIMULATOR_CALLBACK_URL: must be an http URL'],
  ])('refuses to start with %j', async (env, message) => {
    const { child, errors } = run(env);
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(errors()).toContain(message);
  });
});

import { once } from 'node:events';
import { REFUSALS } from '../../src/calls/trigger/refusals.js';
import { contractBody } from '../support/error-answers.js';
import { createWorld, type World } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { RealProcesses, type Running } from '../support/processes.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer } from '../support/calling.js';
import { nextNumber } from '../support/builders.js';

describe('the start', () => {
  let world: World;
  let processes: RealProcesses;
  let postgres: TcpProxy;

  beforeAll(async () => {
    world = await createWorld();
    processes = await RealProcesses.of(world);
    postgres = await startTcpProxy(world.config.databaseUrl);
  }, 120_000);
  afterAll(async () => {
    await processes.close();
    await postgres.close();
    await world.close();
  });

  interface Answer {
    status: number;
    retryAfter: string | null;
    body: unknown;
  }

  async function ask(
    running: Running,
    path: string,
    method = 'GET',
    body: string | null = null,
  ): Promise<Answer> {
    const response = await fetch(`${running.url}${path}`, { method, body });
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      body: contractBody({
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: await response.json(),
      }),
    };
  }

  /** The first answer of a process that begins; a connection that is refused is none. */
  async function firstAnswer(running: Running, path: string): Promise<Answer> {
    const answer = await eventually(
      () => ask(running, path).catch(() => null),
      (found) => found !== null || running.child.exitCode !== null,
    );
    if (answer === null) throw new Error(running.output());
    return answer;
  }

  test('while Postgres is unavailable, the API is live, not ready, and says so; then it serves', async () => {
    await postgres.cut();
    const api = await processes.begin('api', { DATABASE_URL: postgres.url });
    expect(await firstAnswer(api, '/health/live')).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await ask(api, '/health/ready?without=redis')).toMatchObject({
      status: 503,
      body: { ready: false, checks: { process: 'is starting' } },
    });
    expect(await ask(api, '/api/voice-agents/x/calls', 'POST', '{}')).toEqual({
      status: 500,
      retryAfter: '5',
      body: {
        success: false,
        message: REFUSALS.SERVICE_UNAVAILABLE.message,
        reason: 'SERVICE_UNAVAILABLE',
        retryable: true,
      },
    });
    for (const path of ['/api/contacts', '/api/admin/teams', '/metrics', '/health/lively']) {
      expect(await ask(api, path)).toEqual({
        status: 503,
        retryAfter: '5',
        body: { error: 'Service unavailable, try again later' },
      });
    }

    await postgres.restore();
    const ready = await eventually(
      () => ask(api, '/health/ready'),
      ({ status }) => status === 200,
      30_000,
    );
    expect(ready.body).toMatchObject({ ready: true });
    expect((await ask(api, '/health/live')).status).toBe(200);
    expect((await ask(api, '/api/admin/teams')).status).toBe(401);
    expect((await api.stop()).code).toBe(0);
  });

  describe('HOST', () => {
    // An address of this machine only, and not the default one.
    const host = process.platform === 'linux' ? '127.0.0.2' : '::1';

    test.each(['api', 'worker'] as const)('the %s listens on this address only', async (kind) => {
      const running = await processes.start(kind, { HOST: host });
      const { port } = new URL(running.url);
      await expect(fetch(`http://127.0.0.1:${port}/health/live`)).rejects.toThrow('fetch failed');
      expect((await running.stop()).code).toBe(0);
    });
  });

  test('the API exits with 0 if it is stopped while Postgres is unavailable', async () => {
    await postgres.cut();
    const api = await processes.begin('api', { DATABASE_URL: postgres.url });
    await firstAnswer(api, '/health/live');
    const exited = once(api.child, 'exit');
    api.child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    await postgres.restore();
  });
});

describe('the shutdown', () => {
  const SLOW_DIAL_MS = 3_000;

  let world: World;
  let processes: RealProcesses;
  let caller: Caller;
  let api: Running;

  beforeAll(async () => {
    world = await createWorld();
    processes = await RealProcesses.of(world);
    caller = await buildCaller(world.db);
    api = await processes.start('api');
  }, 120_000);

  afterAll(async () => {
    await processes.close();
    await world.close();
  });

  async function trigger(): Promise<string> {
    const response = await fetch(`${api.url}/api/voice-agents/${caller.agentId}/calls`, {
      method: 'POST',
      headers: { ...bearer(caller.apiKey), 'Content-Type': 'application/json' },
      body: JSON.stringify({ phoneNumber: nextNumber() }),
    });
    return ((await response.json()) as { callRequestId: string }).callRequestId;
  }

  const row = async (id: string) => {
    const [found] = await world.db.query<{ status: string; history: { to: string; cause: string }[] }[]>(
      'SELECT status, history FROM call_requests WHERE id = $1',
      [id],
    );
    return found!;
  };
  const statusOf = async (id: string) => (await row(id)).status;
  const dialsOf = (id: string) => processes.dials().filter((dial) => dial.callRequestId === id).length;

  test('a worker that is stopped finishes its current dial, starts no other, and ends with 0', async () => {
    const worker = await processes.start('worker', {
      WORKER_CONCURRENCY: '1',
      SIMULATOR_ACCEPT_MS: String(SLOW_DIAL_MS),
    });
    const inFlight = await trigger();
    await eventually(
      () => statusOf(inFlight),
      (status) => status === 'dialing',
    );
    const waiting = await trigger();

    const toldAt = performance.now();
    worker.child.kill('SIGTERM');
    // A load balancer, or a person, sees it at once.
    const readiness = await eventually(
      async () => {
        const response = await fetch(`${worker.url}/health/ready`);
        return { status: response.status, text: await response.text() };
      },
      ({ status }) => status === 503,
      SLOW_DIAL_MS - 500,
    );
    expect(readiness.text).toContain('is stopping');
    // An impatient supervisor, or a second Ctrl-C, changes nothing.
    worker.child.kill('SIGTERM');
    worker.child.kill('SIGINT');

    expect((await worker.ended).code).toBe(0);
    expect(performance.now() - toldAt).toBeLessThan(20_000);
    const { history } = await row(inFlight);
    expect(history.map(({ cause }) => cause)).toEqual(
      expect.arrayContaining(['claimed', 'carrier_accepted']),
    );
    expect(dialsOf(inFlight)).toBe(1);
    expect([await statusOf(waiting), dialsOf(waiting)]).toEqual(['queued', 0]);

    const successor = await processes.start('worker');
    await eventually(
      () => statusOf(waiting),
      (status) => status === 'completed',
    );
    expect([dialsOf(inFlight), dialsOf(waiting)]).toEqual([1, 1]);
    successor.child.kill('SIGTERM');
    expect((await successor.ended).code).toBe(0);
  });

  test('a worker whose port is in use ends before its first job', async () => {
    const waiting = await trigger();
    const taken = new URL(api.url).port;
    await expect(processes.start('worker', { WORKER_PORT: taken })).rejects.toThrow(
      /ended with 1:[^]*EADDRINUSE/,
    );
    expect([await statusOf(waiting), dialsOf(waiting)]).toEqual(['queued', 0]);
  });

  test('a worker stops in time although its Redis is unreachable', async () => {
    const proxy = await startTcpProxy(world.config.redisUrl);
    try {
      const worker = await processes.start('worker', { REDIS_URL: proxy.url });
      await proxy.cut();
      const toldAt = performance.now();
      worker.child.kill('SIGTERM');
      const { code } = await worker.ended;
      expect([code, performance.now() - toldAt < 20_000]).toEqual([0, true]);
    } finally {
      await proxy.close();
    }
  });
});

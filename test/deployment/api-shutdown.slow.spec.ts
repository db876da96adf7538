import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { Client } from 'pg';
import { createWorld, type World } from '../support/app.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer } from '../support/calling.js';
import { eventually } from '../support/eventually.js';
import { RealProcesses, type Running } from '../support/processes.js';
import { SlowClient } from '../support/slow-client.js';

const CLIENTS = 12;

let world: World;
let processes: RealProcesses;
let caller: Caller;

beforeAll(async () => {
  world = await createWorld();
  processes = await RealProcesses.of(world);
  caller = await buildCaller(world.db);
}, 120_000);

afterAll(async () => {
  await processes.close();
  await world.close();
});

const portOf = ({ url }: Running) => Number(new URL(url).port);
const path = () => `/api/voice-agents/${caller.agentId}/calls`;
const acceptedCalls = async () => {
  const [row] = await world.db.query<{ count: number }[]>('SELECT count(*)::integer FROM call_requests');
  return row!.count;
};

interface Outcome {
  status: number | null;
  connection: string | undefined;
  error: string | undefined;
}

/** Posts a call; on an agent's kept connection, if it has one. */
async function trigger(api: Running, agent: Agent): Promise<Outcome> {
  const sent = request({
    host: '127.0.0.1',
    port: portOf(api),
    path: path(),
    method: 'POST',
    agent,
    headers: { ...bearer(caller.apiKey), 'Content-Type': 'application/json' },
  });
  sent.end(JSON.stringify({ phoneNumber: nextNumber() }));
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const { statusCode, headers } = response;
    for await (const chunk of response) void chunk;
    return { status: statusCode ?? null, connection: headers.connection, error: undefined };
  } catch (error) {
    return { status: null, connection: undefined, error: (error as { code?: string }).code ?? String(error) };
  }
}

const readiness = async ({ url }: Running) => (await fetch(`${url}/health/ready`)).status;

test('busy keep-alive clients: accepted requests are answered, each connection ends after its answer, and the exit code is 0', async () => {
  const api = await processes.start('api');
  const before = await acceptedCalls();
  let answers = 0;
  const busy = Array.from({ length: CLIENTS }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const outcomes: Outcome[] = [];
    do {
      outcomes.push(await trigger(api, agent));
      answers += 1;
    } while (outcomes.at(-1)?.error === undefined);
    agent.destroy();
    return outcomes;
  });
  await eventually(
    () => Promise.resolve(answers),
    (count) => count > 10 * CLIENTS,
  );
  const toldAt = performance.now();
  api.child.kill('SIGTERM');
  const { code } = await api.ended;
  expect(code).toBe(0);
  expect(performance.now() - toldAt).toBeLessThan(15_000);

  const clients = await Promise.all(busy);
  const all = clients.flat();
  // A request was left without an answer only if its connection was refused after the listener had closed.
  expect(new Set(all.map(({ error }) => error))).toEqual(new Set([undefined, 'ECONNREFUSED']));
  expect(all.filter(({ status }) => status === 200)).toHaveLength((await acceptedCalls()) - before);
  expect(all.filter(({ error }) => error === undefined).map(({ status }) => status)).not.toContain(500);
  // One answer more for each connection, which says that it is the last.
  for (const outcomes of clients) expect(outcomes.at(-2)?.connection).toBe('close');
});

test('an active request is answered and its connection closed; idle connections are closed before', async () => {
  const api = await processes.start('api');
  const holder = new Client({ connectionString: world.config.databaseUrl });
  await holder.connect();
  const [idle, silent, waiting] = await Promise.all([1, 2, 3].map(() => SlowClient.to(portOf(api))));
  try {
    idle!.open('GET', '/health/live', {});
    expect(await idle!.status()).toBe(200);
    await holder.query(`SELECT pg_advisory_lock(team_lock_key('${caller.teamId}'))`);
    const body = JSON.stringify({ phoneNumber: nextNumber() });
    waiting!.open('POST', path(), { ...bearer(caller.apiKey), 'Content-Length': body.length });
    waiting!.socket.write(body);
    await eventually(
      async () => {
        const waits = await world.db.query<{ count: number }[]>(
          `SELECT count(*)::integer FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        );
        return waits[0]!.count;
      },
      (count) => count === 1,
    );
    api.child.kill('SIGTERM');
    await Promise.all([idle!.closed(), silent!.closed()]);
    expect(waiting!.received).toBe('');
    await holder.query('SELECT pg_advisory_unlock_all()');
    await waiting!.closed();
    expect(waiting!.received).toMatch(/^HTTP\/1\.1 200[^]*connection: close[^]*"success":true/i);
    expect((await api.ended).code).toBe(0);
  } finally {
    for (const client of [idle, silent, waiting]) client?.close();
    await holder.end();
  }
});

test('a request whose body never arrives delays the exit at most by the request timeout', async () => {
  const api = await processes.start('api');
  const client = await SlowClient.to(portOf(api));
  client.open('POST', path(), { ...bearer(caller.apiKey), 'Content-Length': 10 });
  client.socket.write('{');
  await eventually(
    () => readiness(api),
    (status) => status === 200,
  );
  const toldAt = performance.now();
  api.child.kill('SIGTERM');
  expect((await api.ended).code).toBe(0);
  expect(performance.now() - toldAt).toBeLessThan(15_000);
  client.close();
});

test('with SHUTDOWN_DELAY_MS it is not ready at once, and accepts requests for that time', async () => {
  const delayMs = 5_000;
  const api = await processes.start('api', { SHUTDOWN_DELAY_MS: String(delayMs) });
  const toldAt = performance.now();
  api.child.kill('SIGTERM');
  await eventually(
    () => readiness(api),
    (status) => status === 503,
    delayMs - 500,
  );
  const agent = new Agent({ keepAlive: true });
  expect(await trigger(api, agent)).toMatchObject({ status: 200, connection: 'keep-alive' });
  agent.destroy();
  expect((await api.ended).code).toBe(0);
  expect(performance.now() - toldAt).toBeGreaterThanOrEqual(delayMs - 50);
});

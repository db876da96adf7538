import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { type Nginx } from '../../tools/proxy/nginx.js';
import { createWorld, OPERATOR_TOKEN, type World } from '../support/app.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer } from '../support/calling.js';
import { eventually } from '../support/eventually.js';
import { RealProcesses, type Running } from '../support/processes.js';
import { SlowClient } from '../support/slow-client.js';
import {
  ask,
  type Asked,
  prepareNginx,
  startNginx as startOne,
  stopNginx,
  withNginx,
} from './support/proxied.js';

const EXPORTED = 20_000;
const ADDRESS = '127.0.0.9';
/** Headers of each of the two connections, and not of the API's answer. */
const OF_THE_CONNECTION = ['date', 'connection', 'server', 'keep-alive'];

let world: World;
let processes: RealProcesses;
let api: Running;
let caller: Caller;

beforeAll(async () => {
  await prepareNginx();
  world = await createWorld();
  processes = await RealProcesses.of(world);
  api = await processes.start('api', { TRUSTED_PROXIES: '127.0.0.1' });
  caller = await buildCaller(world.db);
}, 600_000);
afterAll(async () => {
  await stopNginx();
  await processes.close();
  await world.close();
});

const startNginx = (changes?: Record<string, string>): Promise<Nginx> =>
  startOne({ apiPort: Number(new URL(api.url).port), changes });

const json = (key: string) => ({ ...bearer(key), 'Content-Type': 'application/json' });
const calls = () => `/api/voice-agents/${caller.agentId}/calls`;
const LARGE = JSON.stringify({ phoneNumber: '+14155552671', text: 'x'.repeat(300_000) });

/** Requests whose answers depend on nothing that they change. */
const REQUESTS: Record<string, () => Asked & { path: string }> = {
  'a wrong key': () => ({ path: '/api/contacts', method: 'POST', headers: json('wrong'), body: '{}' }),
  'a wrong key at the call endpoint': () => ({
    path: calls(),
    method: 'POST',
    headers: json('wrong'),
    body: '{}',
  }),
  'an unknown agent': () => ({
    path: '/api/voice-agents/x/calls',
    method: 'POST',
    headers: json('wrong'),
    body: '{}',
  }),
  'a malformed body': () => ({ path: calls(), method: 'POST', headers: json(caller.apiKey), body: '{' }),
  'a wrong key with a large body': () => ({
    path: '/api/contacts',
    method: 'POST',
    headers: json('wrong'),
    body: LARGE,
  }),
  'a large body': () => ({
    path: '/api/contacts',
    method: 'POST',
    headers: json(caller.apiKey),
    body: LARGE,
  }),
  'a large body at the call endpoint': () => ({
    path: calls(),
    method: 'POST',
    headers: json(caller.apiKey),
    body: LARGE,
  }),
  'no route': () => ({ path: '/api/nowhere?q=%F0%9F', headers: bearer(caller.apiKey) }),
  'another method': () => ({ path: '/api/campaigns/contact-enrollments', headers: bearer(caller.apiKey) }),
  'a list': () => ({ path: '/api/contacts?limit=2', headers: bearer(caller.apiKey) }),
  'the operator': () => ({ path: '/api/admin/teams?limit=1', headers: bearer(OPERATOR_TOKEN) }),
  'a page': () => ({ path: '/' }),
};

test.each(Object.keys(REQUESTS))('%s is answered through the proxy as without it', async (name) => {
  await withNginx(async () => {
    const nginx = await startNginx();
    const { path, headers, ...asked } = REQUESTS[name]!();
    const sent = { ...asked, headers: { ...headers, 'X-Request-Id': 'same', Host: 'outdial.example.com' } };
    const answers = await Promise.all([api.url, nginx.url].map((url) => ask(url + path, sent)));
    const [direct, proxied] = answers.map(({ status, text, headers: own }) => {
      const passed = Object.entries(own).filter(([header]) => !OF_THE_CONNECTION.includes(header));
      return { status, text, headers: Object.fromEntries(passed) };
    });
    expect(proxied).toEqual(direct);
  })();
});

test(
  'calls are accepted, and the API knows the client’s address, whatever the client claims',
  withNginx(async () => {
    const nginx = await startNginx();
    const answer = await ask(nginx.url + calls(), {
      method: 'POST',
      headers: { ...json(caller.apiKey), 'X-Forwarded-For': '192.0.2.6' },
      body: JSON.stringify({ phoneNumber: nextNumber() }),
      from: ADDRESS,
    });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      200,
      expect.objectContaining({ success: true }),
    ]);
    await eventually(
      () => Promise.resolve(api.output()),
      (output) => output.includes(`"clientAddress":"${ADDRESS}"`),
    );
    expect(api.output()).not.toContain('192.0.2.6');
  }),
);

test(
  'an export is a stream, and complete',
  withNginx(async () => {
    await world.db.query(
      `INSERT INTO contacts (team_id, phone_number, name)
       SELECT $1, '+1917' || (2000000 + n), 'Ada ' || n FROM generate_series(1, $2::integer) n`,
      [caller.teamId, EXPORTED],
    );
    const nginx = await startNginx();
    const path = '/api/contacts/export?format=ndjson';
    const open = async (url: string) => {
      const sent = get(url + path, { headers: bearer(caller.apiKey), agent: false });
      return ((await once(sent, 'response')) as [IncomingMessage])[0];
    };
    const [direct, proxied] = [await open(api.url), await open(nginx.url)];
    // nginx buffers what does not have it.
    expect(direct.headers['x-accel-buffering']).toBe('no');
    direct.destroy();
    let text = '';
    for await (const chunk of proxied.setEncoding('utf8')) text += chunk as string;
    expect(text.split('\n').length).toBeGreaterThan(EXPORTED);
  }),
);

describe('an upload of 2 MB', () => {
  const PIECES = 8;
  const PAUSE_MS = 400;
  const rows = Array.from({ length: 90_000 }, (_, n) => `+1646${2_000_000 + n},Ada ${n}\n`);
  const body = Buffer.from(`phoneNumber,name\n${rows.join('')}`);
  const statuses = async () => {
    const found = await world.db.query<{ status: string }[]>(
      'SELECT status FROM imports ORDER BY created_at',
    );
    return found.map(({ status }) => status);
  };
  const begin = async () => {
    // Less than the upload takes, more than one of its pauses.
    const nginx = await startNginx({ 'client_body_timeout 30s': 'client_body_timeout 2s' });
    const client = await SlowClient.to(nginx.port);
    const headers = { ...bearer(caller.apiKey), 'Content-Type': 'text/csv', 'Content-Length': body.length };
    client.open('POST', '/api/imports', headers);
    return client;
  };
  const piece = (n: number) => body.subarray((n * body.length) / PIECES, ((n + 1) * body.length) / PIECES);

  test(
    'is taken as long as it makes progress, and the API reads it meanwhile',
    withNginx(async () => {
      expect(body.length).toBeGreaterThan(1_500_000);
      const client = await begin();
      const before = (await statuses()).length;
      for (let n = 0; n < PIECES; n += 1) {
        client.socket.write(piece(n));
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        if (n === PIECES / 2) expect((await statuses()).length).toBe(before + 1);
      }
      expect(await client.status()).toBe(202);
      client.close();
    }),
  );

  test(
    'is cut off when it stalls, and the import has failed',
    withNginx(async () => {
      const client = await begin();
      client.socket.write(piece(0));
      await client.ended();
      expect(client.received).toBe('');
      await eventually(statuses, (all) => all.at(-1) === 'failed');
    }),
  );
});

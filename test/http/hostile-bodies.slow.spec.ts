import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { createWorld, type World } from '../support/app.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer } from '../support/calling.js';
import { RealProcesses, type Running } from '../support/processes.js';
import { SlowClient } from '../support/slow-client.js';

const HEAP_MB = 256;
const REPORTS = '/api/carriers/http/events';
const SIGNED = { 'webhook-id': 'x', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' };
/** As many objects as fit into a body. */
const OBJECTS = `{"phoneNumber":"+14155552671","x":[${'{},'.repeat(85_000)}{}]}`;

let world: World;
let processes: RealProcesses;
let api: Running;
let hostile: Caller;
let other: Caller;
/** Milliseconds until the connection of a client that sends its body byte by byte is over. */
let dripped: Promise<number>;
/** The same of a client that sends its headers byte by byte. */
let headersDripped: Promise<number>;
let drip: NodeJS.Timeout;
const clients: SlowClient[] = [];

beforeAll(async () => {
  world = await createWorld();
  processes = await RealProcesses.of(world);
  [hostile, other] = [await buildCaller(world.db), await buildCaller(world.db)];
  api = await processes.start('api', {
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
    HTTP_CARRIER_SECRET: `whsec_${randomBytes(24).toString('base64')}`,
  });
  const since = performance.now();
  const untilClosed = async (client: SlowClient) => {
    // The client goes on sending, so that the server may reset the connection.
    await client.ended();
    return performance.now() - since;
  };
  // Of the team that takes little memory, so that time alone ends it.
  const dripping = await open('/api/contacts', { ...bearer(other.apiKey), 'Content-Length': 1_000 });
  dripped = untilClosed(dripping);
  const headers = await connected();
  headers.socket.write('POST /api/contacts HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ');
  headersDripped = untilClosed(headers);
  drip = setInterval(() => {
    dripping.socket.write(' ');
    headers.socket.write('x');
  }, 300);
}, 120_000);

afterAll(async () => {
  clearInterval(drip);
  for (const client of clients) client.close();
  await processes.close();
  await world.close();
});

async function connected(): Promise<SlowClient> {
  const client = await SlowClient.to(Number(new URL(api.url).port));
  clients.push(client);
  return client;
}

async function open(path: string, headers: Record<string, string | number>): Promise<SlowClient> {
  const client = await connected();
  client.open('POST', path, headers);
  return client;
}

const callsOf = ({ agentId }: Caller) => `/api/voice-agents/${agentId}/calls`;

/** The statuses of `count` requests at once. */
const flood = (count: number, path: string, headers: Record<string, string>, body: string | Buffer) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const response = await fetch(`${api.url}${path}`, {
        method: 'POST',
        headers,
        body: new Uint8Array(Buffer.from(body as string)),
      });
      await response.arrayBuffer();
      return response.status;
    }),
  );

/** Milliseconds that a call of the team that has nothing to do with it takes. */
async function unrelatedCall(): Promise<number> {
  const since = performance.now();
  const response = await fetch(`${api.url}${callsOf(other)}`, {
    method: 'POST',
    headers: bearer(other.apiKey),
    body: JSON.stringify({ phoneNumber: nextNumber() }),
  });
  expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ success: true })]);
  return performance.now() - since;
}

/** The median of the times that so many calls take one after the other, each less than `most`. */
async function medianOfCalls(count: number, most: number): Promise<number> {
  const took: number[] = [];
  for (let n = 0; n < count; n += 1) took.push(await unrelatedCall());
  expect(Math.max(...took)).toBeLessThan(most);
  return took.sort((a, b) => a - b)[Math.floor(count / 2)] ?? NaN;
}

const residentMb = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${api.child.pid}/status`, 'utf8'))?.[1]) / 1_024;

test('small bodies that expand to many objects are not read without a key', async () => {
  const packed = gzipSync(OBJECTS);
  expect(packed.length).toBeLessThan(1_000);
  const headers = { 'Content-Encoding': 'gzip' };
  const wrong = { ...headers, ...bearer('wrong') };
  const signed = { ...headers, ...SIGNED };
  const floods = [
    await flood(120, '/api/contacts', wrong, packed),
    await flood(120, callsOf(other), wrong, packed),
    await flood(120, '/api/admin/teams', wrong, packed),
    await flood(120, REPORTS, signed, packed),
  ];
  // 429: so many failures of one address.
  const answered = floods.map((statuses) => statuses.filter((status) => status !== 429));
  expect(answered.map((statuses) => [...new Set(statuses)]).flat()).toEqual(
    [401, 500, 401, 415].filter((_, at) => answered[at]?.length !== 0),
  );
  await unrelatedCall();
});

test('many objects with a key or an invalid signature do not exhaust the heap', async () => {
  expect(new Set(await flood(60, '/api/contacts', bearer(hostile.apiKey), OBJECTS))).toEqual(new Set([400]));
  const signed = new Set(await flood(60, REPORTS, SIGNED, OBJECTS));
  for (const status of signed) expect([401, 429]).toContain(status);
  await unrelatedCall();
});

test('bodies that stop one byte short use limited memory, and delay no other team', async () => {
  const [before, bytes] = [residentMb(), 250_000];
  const part = Buffer.alloc(bytes - 1, ' ');
  for (let n = 0; n < 300; n += 1) {
    const client = await open('/api/contacts', { ...bearer(hostile.apiKey), 'Content-Length': bytes });
    client.socket.write(part);
  }
  for (let n = 0; n < 100; n += 1) {
    const client = await open(REPORTS, { ...SIGNED, 'Content-Length': bytes });
    client.socket.write(part);
  }
  // A call that waits for memory gets it when the bodies are cut off, after 20 seconds.
  expect(await medianOfCalls(20, 15_000)).toBeLessThan(1_000);
  expect(residentMb() - before).toBeLessThan(80);
  // Those that found no room were told to come back.
  await Promise.any(clients.map(async (client) => expect(await client.status()).toBe(429)));
});

test('a thousand connections of an address with failed attempts are served with a valid key', async () => {
  const body = JSON.stringify({ phoneNumber: '+14155552671', name: 'Ada' });
  const path = '/api/campaigns/contact-enrollments';
  // More than one address may fail at once.
  expect(await flood(500, path, bearer('wrong'), body)).toContain(429);
  expect(new Set(await flood(1_000, path, bearer(hostile.apiKey), body))).toEqual(new Set([200]));
});

test('headers that arrive too slowly are cut off', async () => {
  const lasted = await headersDripped;
  // Earlier than a body would be.
  expect([lasted > 9_000, lasted < (await dripped)]).toEqual([true, true]);
});

test('a body that arrives too slowly is cut off', async () => {
  const lasted = await dripped;
  expect([lasted > 19_000, lasted < 40_000]).toEqual([true, true]);
  await unrelatedCall();
});

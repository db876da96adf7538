import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { findCallBounded, placeCallBounded } from '../../src/carriers/bounded.js';
import { carrierEventFromJson } from '../../src/carriers/event-json.js';
import { HttpCarrier } from '../../src/carriers/http/http.carrier.js';
import { Signature } from '../../src/carriers/http/signature.js';
import { SimulatorServer } from '../../src/carriers/simulator/simulator-server.js';
import { aDial, aQuery, EventCollector, FAST, HTTP_SECRET } from './support.js';

// The simulator as a runtime behind the HTTP carrier, as the fault harness has it.

const events = new EventCollector();
const paths = new Set<string | undefined>();
const signature = new Signature(HTTP_SECRET);
const api = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    const parsed = carrierEventFromJson(JSON.parse(body.toString()));
    paths.add(request.url);
    const taken = signature.verifies(body, request.headers) && parsed.ok;
    response.writeHead(taken ? 200 : 401).end();
    if (taken) void events.listen(parsed.event);
  });
});
let simulator: SimulatorServer;
let url: string;
let carrier: HttpCarrier;

beforeAll(async () => {
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  const callbackUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  simulator = new SimulatorServer({
    ...FAST,
    signingSecret: HTTP_SECRET,
    callbackUrl,
    rules: [
      { match: '+1702*', outcome: 'refuse' },
      { match: '+1303*', outcome: 'error' },
      { match: '+1404*', outcome: 'throttled', retryAfterMs: 2_500 },
    ],
  });
  url = `http://127.0.0.1:${await simulator.listen(0, '127.0.0.1')}/v1/calls`;
  const options = { secret: HTTP_SECRET, publicUrl: callbackUrl, allowPrivate: true, timeoutMs: 20_000 };
  carrier = new HttpCarrier({ ...options, url });
});
afterAll(async () => {
  await carrier.close();
  await simulator.close();
  await new Promise((resolve) => api.close(resolve));
});

test('a call is dialed, reported under the same signature, and found', async () => {
  const placed = await placeCallBounded(carrier, aDial());
  expect(placed).toMatchObject({ kind: 'accepted', carrierCallId: expect.stringMatching(/^sim-/) as string });
  const [, end] = await events.first(2);
  expect(end).toMatchObject({ status: 'completed', callRequestId: aDial().callRequestId });
  expect(end?.answeredAt).toBeInstanceOf(Date);
  expect([...paths]).toEqual(['/api/carriers/http/events']);
  expect(await findCallBounded(carrier, aQuery())).toEqual({ kind: 'found', event: end });
  expect(await findCallBounded(carrier, aQuery(undefined, 9))).toEqual({ kind: 'not_found' });
});

test.each([
  ['+17025550100', { kind: 'refused', reason: 'simulated_refusal' }],
  ['+13035550100', { kind: 'unknown', reason: 'carrier_http_500' }],
  ['+14045550100', { kind: 'throttled', reason: 'carrier_throttled', retryAfterMs: 3_000 }],
])('a call to %s is answered by its rule', async (to, result) => {
  expect(await placeCallBounded(carrier, aDial(to, 2))).toEqual(result);
});

test('without the signature no number is dialed, and no call is listed', async () => {
  const dial = await fetch(url, { method: 'POST', body: JSON.stringify(aDial('+14155550123', 3)) });
  expect(dial.status).toBe(401);
  expect((await fetch(`${url}/${aDial().callRequestId}`)).status).toBe(401);
  const { items } = (await (await fetch(new URL('/dials', url))).json()) as { items: { to: string }[] };
  expect(items.map(({ to }) => to)).not.toContain('+14155550123');
});

import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, type Socket } from 'node:net';
import { findCallBounded, placeCallBounded } from '../../src/carriers/bounded.js';
import { carrierEventFromJson } from '../../src/carriers/event-json.js';
import { RemoteSimulatorCarrier } from '../../src/carriers/simulator/remote-simulator.carrier.js';
import { SIMULATOR_EVENTS_PATH, SimulatorServer } from '../../src/carriers/simulator/simulator-server.js';
import { sendOnce } from '../../src/carriers/send-once.js';
import { aDial, aQuery, callRequestId, countingServer, EventCollector, FAST } from './support.js';

const query = aQuery();

function http(status: string, body: string): (socket: Socket) => void {
  return (socket) => socket.end(`HTTP/1.1 ${status}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
}

describe('RemoteSimulatorCarrier sends exactly one request', () => {
  it.concurrent.each([
    ['a reset', (s: Socket) => s.resetAndDestroy(), 'carrier_reset'],
    ['a close without an answer', (s: Socket) => s.destroy(), 'carrier_reset'],
    ['a hang', () => undefined, 'carrier_timeout'],
    ['a 500', http('500 Oops', '{}'), 'carrier_http_500'],
    ['a 503', http('503 Busy', 'later'), 'carrier_http_503'],
    ['a redirect', http('307 Elsewhere', ''), 'carrier_http_307'],
    ['a 404 of a proxy in between', http('404 Not Found', '<html>'), 'carrier_http_404'],
    [
      'an answer that breaks off',
      (s: Socket) => s.end('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"ki'),
      'carrier_broken_answer',
    ],
    ['an acceptance without an id', http('200 OK', '{"kind":"accepted"}'), 'carrier_http_200'],
    ['something else than HTTP', (s: Socket) => s.end('SSH-2.0\r\n\r\n'), 'carrier_broken_answer'],
  ])('on %s', async (_name, respond, reason) => {
    const server = await countingServer(respond);
    const carrier = new RemoteSimulatorCarrier({
      url: server.url,
      timeoutMs: reason === 'carrier_timeout' ? 2_000 : 20_000,
    });
    try {
      expect(await placeCallBounded(carrier, aDial())).toEqual({ kind: 'unknown', reason });
      expect(server.seen).toEqual({ connections: 1, requests: 1 });
    } finally {
      await carrier.close();
      await server.close();
    }
  });

  // In this group, because a group's concurrent tests wait for their timeouts at the same time.
  it.concurrent('on a dial that the simulator does not answer', async () => {
    const callbackUrl = 'http://127.0.0.1:9/';
    const server = new SimulatorServer({ ...FAST, callbackUrl, callbackToken: 'token' });
    const url = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
    const impatient = new RemoteSimulatorCarrier({ url, timeoutMs: 2_000 });
    const carrier = new RemoteSimulatorCarrier({ url, timeoutMs: 10_000 });
    try {
      await fetch(`${url}/rules`, { method: 'PUT', body: '[{"match":"*","outcome":"hang"}]' });
      expect(await placeCallBounded(impatient, aDial())).toEqual({
        kind: 'unknown',
        reason: 'carrier_timeout',
      });
      expect(await findCallBounded(carrier, query)).toEqual({ kind: 'not_found' });
      const dials = (await (await fetch(`${url}/dials`)).json()) as { items: unknown[] };
      expect(dials.items).toHaveLength(1);
    } finally {
      await Promise.all([impatient.close(), carrier.close()]);
      await server.close();
    }
  });

  it('and reads an answer that ends with its connection', async () => {
    const server = await countingServer((socket) =>
      socket.end('HTTP/1.1 200 OK\r\n\r\n{"kind":"accepted","carrierCallId":"x"}'),
    );
    const carrier = new RemoteSimulatorCarrier({ url: server.url });
    expect(await placeCallBounded(carrier, aDial())).toEqual({ kind: 'accepted', carrierCallId: 'x' });
    await server.close();
  });

  it('or none, if no server listens: the call was certainly not dialed', async () => {
    const server = await countingServer(() => undefined);
    await server.close();
    const carrier = new RemoteSimulatorCarrier({ url: server.url });
    expect(await placeCallBounded(carrier, aDial())).toEqual({
      kind: 'unreachable',
      reason: 'carrier_unreachable',
    });
    expect(await findCallBounded(carrier, query)).toEqual({ kind: 'unknown', reason: 'carrier_unreachable' });
  });

  it('or none, if the process was stopped for too long', async () => {
    const server = await countingServer(() => undefined);
    const { signal } = new AbortController();
    const result = await sendOnce({
      method: 'POST',
      url: new URL(server.url),
      body: '{}',
      signal,
      sendWithinMs: -1,
    });
    expect(result).toEqual({ kind: 'unreachable', reason: 'carrier_unreachable' });
    expect(server.seen.requests).toBe(0);
    await server.close();
  });

  it('and aborts an open request on close', async () => {
    let arrived: () => void = () => undefined;
    const arrival = new Promise<void>((resolve) => (arrived = resolve));
    const server = await countingServer(() => arrived());
    const carrier = new RemoteSimulatorCarrier({ url: server.url, timeoutMs: 60_000 });
    const result = placeCallBounded(carrier, aDial());
    await arrival;
    await carrier.close();
    expect((await result).kind).toBe('unknown');
    await server.close();
  });
});

describe('SimulatorServer', () => {
  const collector = () => new EventCollector();
  let events = collector();
  let authorizations: (string | undefined)[] = [];
  let refuseCallbacks = 0;
  const api = createServer((request, response) => {
    void textOf(request).then(async (text) => {
      const parsed = carrierEventFromJson(JSON.parse(text));
      const refused = refuseCallbacks-- > 0 || request.url !== SIMULATOR_EVENTS_PATH || !parsed.ok;
      authorizations.push(request.headers.authorization);
      response.writeHead(refused ? 503 : 204).end();
      if (!refused) await events.listen(parsed.event);
    });
  });
  let server: SimulatorServer;
  let url: string;
  let carrier: RemoteSimulatorCarrier;

  beforeEach(async () => {
    events = collector();
    authorizations = [];
    refuseCallbacks = 0;
    await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
    const callbackUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}/`;
    server = new SimulatorServer({
      ...FAST,
      callbackUrl,
      callbackToken: 'token',
      delivery: { backoffMs: 2 },
    });
    url = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
    carrier = new RemoteSimulatorCarrier({ url, timeoutMs: 10_000 });
  });
  afterEach(async () => {
    await carrier.close();
    await server.close();
    await new Promise<void>((resolve) => {
      api.close(() => resolve());
      api.closeAllConnections();
    });
  });

  const setRules = (body: string) => fetch(`${url}/rules`, { method: 'PUT', body });

  it('accepts a dial, sends callbacks, and lists the dial', async () => {
    const result = await placeCallBounded(carrier, aDial());
    const [first, last] = await events.first(2);
    expect([first?.status, last?.status]).toEqual(['in_progress', 'completed']);
    expect(result).toEqual({ kind: 'accepted', carrierCallId: last?.carrierCallId });
    expect(authorizations).toEqual(['Bearer token', 'Bearer token']);
    expect(await findCallBounded(carrier, query)).toEqual({ kind: 'found', event: last });
    const dials = (await (await fetch(`${url}/dials`)).json()) as { items: unknown[] };
    expect(dials.items).toMatchObject([
      { callRequestId: callRequestId(1), to: '+14155550100', outcome: 'completed' },
    ]);
  });

  it('repeats a callback until it is accepted', async () => {
    refuseCallbacks = 3;
    await placeCallBounded(carrier, aDial());
    expect((await events.first(2)).map(({ status }) => status)).toEqual(['in_progress', 'completed']);
    expect(authorizations).toHaveLength(5);
  });

  it.each([
    ['refuse', { kind: 'refused', reason: 'simulated_refusal' }],
    ['error', { kind: 'unknown', reason: 'carrier_http_500' }],
    ['reset', { kind: 'unknown', reason: 'carrier_reset' }],
  ])('answers %s by the rules set at run time', async (outcome, expected) => {
    expect((await setRules(JSON.stringify([{ match: '+1415*', outcome }]))).status).toBe(200);
    expect(await placeCallBounded(carrier, aDial())).toEqual(expected);
  });

  it('refuses invalid rules, naming the invalid property, and keeps the earlier ones', async () => {
    const response = await setRules('[{"match":"*","outcome":"explode"}]');
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: expect.stringMatching(/^rules\[0\]\.outcome/) as string });
    expect((await placeCallBounded(carrier, aDial())).kind).toBe('accepted');
  });

  it('refuses an invalid dial and unknown routes', async () => {
    const dial = await fetch(`${url}/dial`, { method: 'POST', body: '{"to":"nobody"}' });
    expect([dial.status, await dial.json()]).toEqual([400, { kind: 'refused', reason: 'malformed_request' }]);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect((await fetch(`${url}/elsewhere`)).status).toBe(404);
  });
});

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request as AsyncIterable<Buffer>) text += chunk.toString();
  return text;
}

import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { findCallBounded, placeCallBounded } from '../../src/carriers/bounded.js';
import { HttpCarrier, type HttpCarrierOptions } from '../../src/carriers/http/http.carrier.js';
import { Signature } from '../../src/carriers/http/signature.js';
import { type Answer } from './fault-server.js';
import { aDial, aQuery, HTTP_SECRET } from './support.js';

interface Seen {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

const seen: Seen[] = [];
let answer: Answer;
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    const { method = '', url: path = '', headers } = request;
    seen.push({ method, path, headers, body });
    response.writeHead(answer.status, answer.headers);
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
  });
});
let port: number;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  seen.length = 0;
  answer = { status: 202, body: { carrierCallId: 'line-1' } };
});

function carrier(options: Partial<HttpCarrierOptions> = {}): HttpCarrier {
  return new HttpCarrier({
    url: `http://127.0.0.1:${port}/v1/calls?line=7`,
    secret: HTTP_SECRET,
    timeoutMs: 20_000,
    publicUrl: 'https://outdial.example.com',
    allowPrivate: true,
    ...options,
  });
}

describe('a request for a call', () => {
  test('has the fields of the protocol only', async () => {
    const dial = { ...aDial(), variables: { order: { id: 7 } }, generation: 3 };
    expect(await placeCallBounded(carrier(), dial)).toEqual({ kind: 'accepted', carrierCallId: 'line-1' });
    const [request] = seen;
    expect(request).toMatchObject({ method: 'POST', path: '/v1/calls?line=7' });
    expect(JSON.parse(request!.body)).toEqual({
      version: 1,
      type: 'call.place',
      callRequestId: dial.callRequestId,
      teamId: dial.teamId,
      agentId: dial.agentId,
      to: dial.to,
      from: dial.from,
      prompt: dial.prompt,
      firstMessage: dial.firstMessage,
      variables: { order: { id: 7 } },
      callbackUrl: 'https://outdial.example.com/api/carriers/http/events',
    });
    expect(request!.headers).toMatchObject({
      'content-type': 'application/json',
      'idempotency-key': `${dial.callRequestId}-3`,
      'webhook-id': `${dial.callRequestId}-3`,
    });
  });

  test('is signed so that the library of Standard Webhooks verifies it', async () => {
    await placeCallBounded(carrier(), aDial());
    const { headers, body } = seen[0]!;
    const webhook = new Webhook(HTTP_SECRET);
    expect(() => webhook.verify(body, headers as Record<string, string>)).not.toThrow();
    expect(() => webhook.verify(`${body} `, headers as Record<string, string>)).toThrow();
  });

  test('has one key for each claim', async () => {
    const dialer = carrier();
    for (const generation of [0, 1]) await placeCallBounded(dialer, { ...aDial(), generation });
    expect(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(2);
  });

  test.each([
    [200, { carrierCallId: 'a' }, { kind: 'accepted', carrierCallId: 'a' }],
    [201, { carrierCallId: 'b', more: 1 }, { kind: 'accepted', carrierCallId: 'b' }],
    [200, {}, { kind: 'unknown', reason: 'carrier_http_200' }],
    [202, { carrierCallId: 7 }, { kind: 'unknown', reason: 'carrier_http_202' }],
    [202, { carrierCallId: 'x'.repeat(201) }, { kind: 'unknown', reason: 'carrier_http_202' }],
    [204, '', { kind: 'unknown', reason: 'carrier_http_204' }],
    [400, { refused: 'no_such_line' }, { kind: 'refused', reason: 'no_such_line' }],
    [403, { refused: 'signature' }, { kind: 'refused', reason: 'signature' }],
    [400, { refused: '+14155550100 is odd' }, { kind: 'unknown', reason: 'carrier_http_400' }],
    [404, {}, { kind: 'unknown', reason: 'carrier_http_404' }],
    [500, { refused: 'no_such_line' }, { kind: 'unknown', reason: 'carrier_http_500' }],
    [200, { refused: 'no_such_line' }, { kind: 'unknown', reason: 'carrier_http_200' }],
  ])('answered %d %j', async (status, body, result) => {
    answer = { status, body };
    expect(await placeCallBounded(carrier(), aDial())).toEqual(result);
  });

  test.each([
    [undefined, 1_000],
    ['3', 3_000],
    ['soon', 1_000],
    [new Date(Date.now() + 3_600_000).toUTCString(), 3_600_000],
    [new Date(0).toUTCString(), 0],
  ])('answered 429 with Retry-After %s, is repeated after that time', async (header, ms) => {
    answer = { status: 429, body: '', headers: header === undefined ? {} : { 'retry-after': header } };
    const result = await placeCallBounded(carrier(), aDial());
    if (result.kind !== 'throttled') throw new Error(result.kind);
    expect(Math.abs(result.retryAfterMs - ms)).toBeLessThan(5_000);
    if (ms < 60_000) expect(result.retryAfterMs).toBe(ms);
  });
});

describe('a look-up', () => {
  const event = {
    carrierCallId: 'line-1',
    status: 'completed',
    at: '2026-11-20T14:00:33.000Z',
    durationSeconds: 30,
  };

  test('requests the call by its id, and is signed', async () => {
    const query = aQuery();
    answer = { status: 200, body: { ...event, callRequestId: query.callRequestId } };
    expect(await findCallBounded(carrier(), query)).toEqual({
      kind: 'found',
      event: { ...event, callRequestId: query.callRequestId, at: new Date(event.at) },
    });
    expect(seen).toMatchObject([
      { method: 'GET', path: `/v1/calls/${query.callRequestId}?line=7`, body: '' },
    ]);
    const { headers } = seen[0]!;
    expect(headers['webhook-id']).toBe(query.callRequestId);
    expect(new Signature(HTTP_SECRET).verifies(Buffer.alloc(0), headers)).toBe(true);
  });

  test('does not accept the outcome of another call', async () => {
    answer = { status: 200, body: { ...event, callRequestId: aDial(undefined, 2).callRequestId } };
    expect(await findCallBounded(carrier(), aQuery())).toEqual({
      kind: 'unknown',
      reason: 'carrier_http_200',
    });
  });

  test('without a result resolves nothing', async () => {
    answer = { status: 404, body: '<html>' };
    expect(await findCallBounded(carrier(), aQuery())).toEqual({ kind: 'not_found' });
  });
});

describe('an agent’s settings', () => {
  const strict = (url?: string) => carrier({ url, allowPrivate: false });

  test.each([
    [{ url: 'http://agents.example.com/calls' }, 'carrierSettings.url must be an https:// URL'],
    [{ url: 'agents.example.com' }, 'carrierSettings.url must be an https:// URL'],
    [{ url: 'file:///etc/passwd' }, 'carrierSettings.url must be an https:// URL'],
    [{ url: 7 }, 'carrierSettings.url must be an https:// URL'],
    [{ url: `https://a.example/${'x'.repeat(2_000)}` }, 'carrierSettings.url must be an https:// URL'],
    [
      { url: 'https://ada:hush@agents.example.com/' },
      'carrierSettings.url must have no user and no password',
    ],
    [{ url: 'https://127.0.0.1/' }, 'carrierSettings.url must not lead into a private network'],
    [{ url: 'https://0x7f.1/' }, 'carrierSettings.url must not lead into a private network'],
    [{ url: 'https://2130706433/' }, 'carrierSettings.url must not lead into a private network'],
    [
      { url: 'https://[::ffff:169.254.169.254]/' },
      'carrierSettings.url must not lead into a private network',
    ],
    [
      { uri: 'https://agents.example.com/' },
      'carrierSettings has a field that the carrier http does not know',
    ],
    [{}, 'carrierSettings.url is required, because HTTP_CARRIER_URL is not set'],
  ])('%j are refused', (settings, message) => {
    expect(strict().checkSettings(settings)).toContain(message);
  });

  test('may be a URL, or nothing where the deployment has one', () => {
    expect(strict().checkSettings({ url: 'https://agents.example.com/calls?line=7' })).toBeNull();
    expect(strict('https://agents.example.com/calls').checkSettings({})).toBeNull();
    expect(carrier().checkSettings({ url: 'http://127.0.0.1:4020/calls' })).toBeNull();
  });

  test('that are invalid at the dial lead to no request', async () => {
    const result = await placeCallBounded(strict(), {
      ...aDial(),
      carrierSettings: { url: `http://127.0.0.1:${port}/` },
    });
    expect(result).toEqual({ kind: 'refused', reason: 'carrier_settings_invalid' });
    expect(seen).toEqual([]);
  });
});

describe('the check of the carrier', () => {
  const { signal } = new AbortController();

  test('passes for a runtime that verified the signature, and dials no number', async () => {
    answer = { status: 404, body: {} };
    expect(await carrier().check([], signal)).toMatchObject({ ok: true });
    expect(seen.map(({ method }) => method)).toEqual(['GET']);
  });

  test.each([
    [401, { what: 'HTTP_CARRIER_SECRET', ok: false, detail: 'answered 401' }],
    [500, { what: 'HTTP_CARRIER_SECRET', ok: false, detail: 'answered 500' }],
  ])('names the fault: %d', async (status, item) => {
    answer = { status, body: {} };
    const { ok, items } = await carrier().check([], signal);
    expect(ok).toBe(false);
    expect(items).toContainEqual(item);
  });

  test('reports that the runtime is unreachable', async () => {
    const { ok, items } = await carrier({ url: 'http://127.0.0.1:1/' }).check([], signal);
    expect(ok).toBe(false);
    expect(items).toEqual([{ what: 'HTTP_CARRIER_URL', ok: false, detail: 'carrier_unreachable' }]);
  });
});

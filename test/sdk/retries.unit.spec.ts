import { pauseAfter } from '../../sdk/src/core/retry.js';
import { ApiError, ConnectionError, TimeoutError } from '../../sdk/src/index.js';
import { answers, cuts, cutsInTheMiddle, hangs, PlayedApi, rejection } from './played-api.js';

const ID = '0b0f7a0e-6f0a-4a5e-9d2c-1f6a3f0f5b11';
const BODY = { phoneNumber: '+14155550142' };
const ACCEPTED = answers(200, { success: true, callRequestId: ID, contactId: ID });

const refuses = (status: number, reason?: string, headers?: Record<string, string>) =>
  answers(status, reason === undefined ? { error: 'no' } : { message: 'no', reason }, headers);
const UNAVAILABLE = refuses(503);

const api = PlayedApi.ofFile();

test.each([
  ['a connection that ends', cuts],
  ['an answer that ends in the middle', cutsInTheMiddle],
  ['503', UNAVAILABLE],
  ['500 SERVICE_UNAVAILABLE', refuses(500, 'SERVICE_UNAVAILABLE')],
  ['429 RATE_LIMITED', refuses(429, 'RATE_LIMITED')],
  ['429 of another endpoint', refuses(429)],
])('%s: the request is repeated with the same key and body', async (_, failure) => {
  api.play(failure, failure, ACCEPTED);
  await expect(api.client().calls.create(ID, BODY)).resolves.toMatchObject({ callRequestId: ID });
  expect(api.requests).toHaveLength(3);
  const [key] = api.sent('idempotency-key');
  expect(key).toMatch(/^[0-9a-f-]{36}$/);
  expect(api.sent('idempotency-key')).toEqual([key, key, key]);
  expect(api.requests.map(({ body }) => JSON.parse(body) as object)).toEqual([BODY, BODY, BODY]);
});

test.each([
  [400, 'INVALID_REQUEST'],
  [401, undefined],
  [403, undefined],
  [404, undefined],
  [409, 'IDEMPOTENCY_KEY_IN_FLIGHT'],
  [409, undefined],
  [422, 'IDEMPOTENCY_KEY_REUSED'],
  [429, 'PLAN_LIMIT'],
  [429, 'NUMBER_LIMIT_DAILY'],
  [500, 'INTERNAL'],
  [500, 'RECENTLY_CALLED'],
  [500, undefined],
  [502, undefined],
  [301, undefined],
])('%d %s is final', async (status, reason) => {
  api.play(refuses(status, reason));
  const error = await rejection(api.client().calls.create(ID, BODY));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status, reason });
  expect(api.requests).toHaveLength(1);
});

test('the error of the last attempt is thrown, with the key', async () => {
  api.play(UNAVAILABLE);
  const error = await rejection(api.client().contacts.create(BODY));
  expect(error).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE', message: 'no' });
  expect(api.requests).toHaveLength(4);
  expect((error as ApiError).idempotencyKey).toBe(api.sent('idempotency-key')[0]);
});

test('the number of repetitions can be set for a client and for a request', async () => {
  api.play(UNAVAILABLE);
  const client = api.client({ maxRetries: 1 });
  await rejection(client.key.get());
  expect(api.requests).toHaveLength(2);
  await rejection(client.key.get({ maxRetries: 0 }));
  expect(api.requests).toHaveLength(3);
});

test('a key of the caller’s own is sent; each call of a method has another one', async () => {
  api.play(ACCEPTED);
  const { calls } = api.client();
  await calls.create(ID, BODY, { idempotencyKey: 'order-4711' });
  await calls.create(ID, BODY);
  await calls.create(ID, BODY);
  const [own, ...made] = api.sent('idempotency-key');
  expect(own).toBe('order-4711');
  expect(new Set(made).size).toBe(2);
});

test('Retry-After is waited for; one of more than a minute is the caller’s to wait for', async () => {
  api.play(refuses(503, undefined, { 'retry-after': '1' }), answers(200, {}));
  await api.client().key.get();
  const [first, second] = api.requests;
  expect(second!.at - first!.at).toBeGreaterThan(990);
  api.play(refuses(503, undefined, { 'retry-after': '61' }));
  expect(await rejection(api.client().key.get())).toMatchObject({ retryAfterMs: 61_000 });
  expect(api.requests).toHaveLength(3);
});

test('pauses double up to a limit, with jitter', () => {
  const open = { isRepeatable: true, isAnswerOpen: false, backoffMs: 500 };
  const error = new ConnectionError('cut');
  const pauses = (random: number) =>
    [0, 1, 2, 3, 4, 5, 9].map((before) => pauseAfter(error, { ...open, before }, random));
  expect(pauses(1)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  expect(pauses(0)).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000, 4_000]);
});

test('a POST that would act twice and has no key is repeated after 429 alone', async () => {
  const { webhookEndpoints, webhookDeliveries } = api.client();
  const posts = [
    () => webhookEndpoints.create({ url: 'https://example.com' }),
    () => webhookEndpoints.rotateSecret(ID),
    () => webhookEndpoints.test(ID),
    () => webhookEndpoints.replay(ID, { after: 0 }),
    () => webhookDeliveries.retry(ID),
  ];
  for (const post of posts) {
    for (const failure of [cuts, UNAVAILABLE]) {
      api.play(failure);
      await rejection(post());
      expect(api.requests.splice(0)).toHaveLength(1);
    }
    api.play(refuses(429), answers(201, {}));
    await post();
    expect(api.requests.splice(0)).toHaveLength(2);
  }
});

test('while the first attempt, whose answer was lost, is in progress, the repetition asks again', async () => {
  api.play(cuts, refuses(409, 'IDEMPOTENCY_KEY_IN_FLIGHT'), ACCEPTED);
  await api.client().calls.create(ID, BODY);
  api.play(cuts, refuses(409), answers(201, { contactId: ID }));
  await api.client().contacts.create(BODY);
  expect(api.requests).toHaveLength(6);
  api.play(cuts, answers(409, { error: 'enrolled', enrollmentId: ID }));
  const enrolled = await rejection(api.client().enrollments.create({ contactId: ID, campaignId: ID }));
  expect(enrolled).toMatchObject({ code: 'CONFLICT', enrollmentId: ID });
});

test('an attempt without an answer in time is repeated; the last one is a TimeoutError', async () => {
  const keys: (string | null)[] = [];
  // A busy server may not have read a request when its time is over.
  const noting: typeof fetch = (url, init) => {
    keys.push(new Headers(init?.headers).get('idempotency-key'));
    return fetch(url, init);
  };
  api.play(hangs);
  const client = api.client({ timeoutMs: 50, maxRetries: 1, fetch: noting });
  const error = await rejection(client.calls.create(ID, BODY));
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error).toBeInstanceOf(ConnectionError);
  const { idempotencyKey } = error as TimeoutError;
  expect(keys).toEqual([idempotencyKey, idempotencyKey]);
});

test('a signal ends a request, a pause, and a stream; what is aborted before is not sent', async () => {
  const reason = new Error('the user left');
  const aborted = AbortSignal.abort(reason);
  expect(await rejection(api.client().key.get({ signal: aborted }))).toBe(reason);
  expect(api.requests).toHaveLength(0);

  const during = new AbortController();
  api.play(() => during.abort(reason));
  expect(await rejection(api.client().key.get({ signal: during.signal }))).toBe(reason);

  const pausing = new AbortController();
  api.play((response) => {
    response.on('close', () => pausing.abort(reason));
    response.writeHead(503, { 'retry-after': '60' }).end();
  });
  expect(await rejection(api.client().key.get({ signal: pausing.signal }))).toBe(reason);

  const streaming = new AbortController();
  api.play((response) => response.writeHead(200).write('{"row":1}\n'));
  const results = api.client().imports.results(ID, {}, { signal: streaming.signal });
  expect((await results.next()).value).toEqual({ row: 1 });
  streaming.abort(reason);
  expect(await rejection(results.next())).toBe(reason);
});

test('errors have what the API says, and know answers that are not the API’s', async () => {
  const problems = [{ path: 'phoneNumber', message: 'phoneNumber is required' }];
  const runsAt = '2026-11-20T14:00:00.000Z';
  const body = { message: 'No', reason: 'ALREADY_SCHEDULED', retryable: true, runsAt, requestId: 'r-1' };
  api.play(answers(500, body));
  expect(await rejection(api.client().calls.create(ID, BODY))).toMatchObject({
    name: 'ApiError',
    status: 500,
    code: 'ALREADY_SCHEDULED',
    retryable: true,
    runsAt,
    requestId: 'r-1',
    message: 'No',
    body,
    errors: [],
  });
  api.play(answers(400, { error: 'phoneNumber is required', requestId: 'r-2', errors: problems }));
  expect(await rejection(api.client().contacts.create(BODY))).toMatchObject({
    code: 'INVALID_REQUEST',
    requestId: 'r-2',
    errors: problems,
    reason: undefined,
  });
  api.play((response) => response.writeHead(502, { 'x-request-id': 'r-3' }).end('<html>'));
  expect(await rejection(api.client().key.get())).toMatchObject({
    status: 502,
    code: 'UNKNOWN',
    requestId: 'r-3',
    body: undefined,
    message: 'The API answered with status 502',
  });
  api.play((response) => response.writeHead(200).end('<html>'));
  expect(await rejection(api.client().key.get())).toMatchObject({ name: 'OutdialError' });
  const dead = await rejection(api.client({ baseUrl: 'http://127.0.0.1:1', maxRetries: 0 }).key.get());
  expect(dead).toBeInstanceOf(ConnectionError);
  expect((dead as ConnectionError).cause).toBeDefined();
});

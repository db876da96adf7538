import { Logger } from '@nestjs/common';
import { resultOf } from '../../../src/events/webhooks/delivery/attempt.js';
import { type ClaimedRow } from '../../../src/events/webhooks/delivery/attempts.sql.js';
import { FailureLog, LOG_PAUSE_MS } from '../../../src/events/webhooks/delivery/failure-log.js';
import { RealTime, WRONG_MS } from '../../../src/events/webhooks/delivery/real-time.js';
import { pauseAfter } from '../../../src/events/webhooks/delivery/retry-schedule.js';
import { signedHeaders } from '../../../src/events/webhooks/delivery/sign.js';
import { newSecret } from '../../../src/events/webhooks/secret.js';
import { readWebhookUrl } from '../../../src/events/webhooks/webhook-url.js';
import { isSignedBy, verify } from './receiver.js';

describe('the pause before a retry', () => {
  const SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

  test('is that of the table, longer by a tenth at most', () => {
    for (const [n, seconds] of SECONDS.entries()) {
      expect(pauseAfter(n + 1, 0, 0)).toBe(seconds * 1_000);
      expect(pauseAfter(n + 1, 0, 1)).toBe(seconds * 1_100);
    }
    expect(pauseAfter(10)).toBeNull();
  });

  test('is as long as the receiver asks for, up to a day', () => {
    expect(pauseAfter(1, 60_000, 0)).toBe(60_000);
    expect(pauseAfter(2, 60_000, 0)).toBe(300_000);
    expect(pauseAfter(1, 10 * 86_400_000, 0)).toBe(86_400_000);
  });
});

describe('the result of an attempt', () => {
  const claimed = { id: 'd', endpoint_id: 'e', attempt: 1, failures: 0 } as ClaimedRow;
  const answer = (status: number, retryAfter?: string) =>
    resultOf(claimed, { kind: 'answer', status, retryAfter, text: '' }, 3.4);

  test('any 2xx is taken; all else is tried again', () => {
    for (const status of [200, 201, 204, 299]) {
      expect(answer(status)).toMatchObject({ outcome: 'delivered', code: status, durationMs: 3 });
    }
    for (const status of [100, 301, 302, 307, 400, 404, 429, 500, 503]) {
      expect(answer(status)).toMatchObject({ outcome: 'retry', code: status });
    }
  });

  test('a delivery answered with 410 stays due: it waits until its endpoint is enabled', () => {
    expect(answer(410)).toMatchObject({ outcome: 'retry', pauseMs: 0 });
    const last = { ...claimed, failures: 9 };
    const gone = { kind: 'answer', status: 410, retryAfter: undefined, text: '' } as const;
    expect(resultOf(last, gone, 1)).toMatchObject({ outcome: 'retry', pauseMs: 0 });
  });

  test('429 and 503 with Retry-After hold the endpoint, for an hour at most', () => {
    expect(answer(429, '120')).toMatchObject({ pauseMs: 120_000, holdMs: 120_000 });
    expect(answer(503, '86400')).toMatchObject({ pauseMs: 86_400_000, holdMs: 3_600_000 });
    expect(answer(500, '120')).toMatchObject({ pauseMs: 120_000, holdMs: null });
    expect(answer(429)).toMatchObject({ holdMs: null });
  });

  test('the tenth failure is the last one; an event that is removed has failed; a stopped worker is no failure', () => {
    const last = { ...claimed, failures: 9 };
    expect(resultOf(last, { kind: 'error', error: 'timeout' }, 1)).toMatchObject({ outcome: 'failed' });
    expect(resultOf(claimed, { kind: 'error', error: 'timeout' }, 1)).toMatchObject({ outcome: 'retry' });
    expect(resultOf(claimed, { kind: 'error', error: 'removed' }, 1)).toMatchObject({ outcome: 'failed' });
    expect(resultOf(last, { kind: 'error', error: 'stopped' }, 1)).toMatchObject({ outcome: 'released' });
  });
});

describe('a signature', () => {
  const [secret, other, third] = [newSecret(), newSecret(), newSecret()];
  const body = JSON.stringify({ type: 'call.ended', name: 'Zoë 🎈' });
  const headers = signedHeaders('event-1', body, [secret, other], new Date());

  test('equals the example of the specification', () => {
    const example = signedHeaders(
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      '{"test": 2432232314}',
      ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      new Date(1_614_265_330_000),
    );
    expect(example).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  test('is verified by the library and by a second implementation, with either secret', () => {
    for (const one of [secret, other]) {
      expect(verify(one, { body, headers })).toEqual(JSON.parse(body));
      expect(isSignedBy(one, { body, headers })).toBe(true);
    }
    expect(headers['webhook-signature'].split(' ')).toHaveLength(2);
  });

  test('is of no other secret, body or id', () => {
    const changes = [
      [third, { body, headers }],
      [secret, { body: `${body} `, headers }],
      [secret, { body, headers: { ...headers, 'webhook-id': 'event-2' } }],
    ] as const;
    for (const [by, message] of changes) {
      expect(() => verify(by, message)).toThrow();
      expect(isSignedBy(by, message)).toBe(false);
    }
  });
});

describe('a URL', () => {
  const PUBLIC = { allowPrivate: false };
  const PRIVATE = { allowPrivate: true };
  const messageOf = (url: string, rules = PUBLIC) => {
    const read = readWebhookUrl(url, rules);
    return read.ok ? null : read.message;
  };

  const FORBIDDEN = 'url must have no spaces, line breaks, backslashes or control characters';
  /** Where the variable would help; a link-local address is forbidden in every deployment. */
  const ALLOWED = ', unless the deployment sets WEBHOOKS_ALLOW_PRIVATE=true';

  test.each(['https://example.com/hook?x=1', 'https://example.com:8443/', 'https://1.1.1.1/'])(
    '%s is allowed',
    (url) => {
      expect(messageOf(url)).toBeNull();
    },
  );

  test.each([
    ['http://example.com/', `url must be an https:// URL${ALLOWED}`],
    ['ftp://example.com/', 'url must be an https:// URL'],
    ['example.com', 'url must be an https:// URL'],
    ['https://user:password@example.com/', 'url must have no user and no password'],
    ['https://127.0.0.1/', `url must not lead into a private network${ALLOWED}`],
    ['https://2130706433/', `url must not lead into a private network${ALLOWED}`],
    ['https://[::1]/', `url must not lead into a private network${ALLOWED}`],
    ['https://10.1.2.3/', `url must not lead into a private network${ALLOWED}`],
    ['https://169.254.169.254/latest', 'url must not lead into a private network'],
    ['https://localhost/', `url must not lead into a private network${ALLOWED}`],
    ['https://a.localhost./', `url must not lead into a private network${ALLOWED}`],
    [`https://example.com/${'x'.repeat(2_000)}`, 'url must be at most 2000 characters'],
  ])('%s is not', (url, message) => {
    expect(messageOf(url)).toBe(message);
  });

  test.each([
    ' https://example.com/',
    'https://example.com/\n',
    'https://exa\r\nmple.com/',
    'https://example.com/a b',
    'https:\\\\example.com',
    'https://example.com\\@1.1.1.1/',
    'https://example.com/\t',
    'https://example.com/\u00a0',
  ])('%j has characters that a URL parser drops or replaces', (url) => {
    for (const rules of [PUBLIC, PRIVATE]) expect(messageOf(url, rules)).toBe(FORBIDDEN);
  });

  test('where private networks are allowed, all but links and metadata may be reached, also without TLS', () => {
    for (const url of ['http://127.0.0.1:3000/', 'http://localhost/', 'http://10.0.0.1/', 'https://a.b/']) {
      expect([url, messageOf(url, PRIVATE)]).toEqual([url, null]);
    }
    const forbidden = 'url must not lead into a private network';
    for (const url of ['http://169.254.169.254/', 'http://[fe80::1]/', 'https://168.63.129.16/']) {
      expect([url, messageOf(url, PRIVATE)]).toEqual([url, forbidden]);
    }
    expect(messageOf('http://u:p@10.0.0.1/', PRIVATE)).toBe('url must have no user and no password');
  });
});

test('of the failures of an endpoint, one a minute is logged, with the number of those since the last', () => {
  const log = new FailureLog();
  expect(log.failed('a', 0)).toBe(1);
  for (let n = 1; n <= 40; n += 1) expect(log.failed('a', n * 1_000)).toBeNull();
  expect(log.failed('b', 41_000)).toBe(1);
  expect(log.failed('a', LOG_PAUSE_MS)).toBe(41);
  expect(log.failed('a', LOG_PAUSE_MS + 1)).toBeNull();
});

test('the time of a signature is that of Postgres, and goes on; a wrong clock is warned of once a minute', () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  const time = new RealTime();
  const real = Date.parse('2026-11-27T12:00:00Z');
  const now = time.noted({ ms: real }, real + 600_000);
  const [first, second] = [now(), now()].map((date) => date.getTime()) as [number, number];
  expect(first).toBeGreaterThanOrEqual(real);
  expect(second).toBeGreaterThanOrEqual(first);
  expect(second).toBeLessThan(real + 600_000);
  time.noted({ ms: real }, real - 600_000);
  time.noted({ ms: real }, real + WRONG_MS);
  expect(warn.mock.calls).toEqual([[expect.objectContaining({ offsetSeconds: 600 })]]);
  new RealTime().noted({ ms: real }, real + WRONG_MS);
  expect(warn).toHaveBeenCalledTimes(1);
  warn.mockRestore();
});

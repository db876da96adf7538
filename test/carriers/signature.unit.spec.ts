import { Signature } from '../../src/carriers/http/signature.js';
import { HTTP_SECRET } from './support.js';

const OTHER = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const BODY = '{"a":1}';

test('a signature equals the specification’s example', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const headers = new Signature(secret).headersFor(
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    '{"test": 2432232314}',
    new Date(1_614_265_330_000),
  );
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

describe('verifies', () => {
  const signature = new Signature(HTTP_SECRET);
  const headers = () => ({ ...signature.headersFor('id-1', BODY) });
  const verifies = (changed: object, body = BODY) =>
    signature.verifies(Buffer.from(body), { ...headers(), ...changed });

  test('its own signatures', () => {
    expect(verifies({})).toBe(true);
  });

  test('no other signatures', () => {
    expect(verifies({}, '{"a":2}')).toBe(false);
    expect(verifies({}, '')).toBe(false);
    expect(verifies({ 'webhook-id': 'id-2' })).toBe(false);
    expect(verifies({ 'webhook-signature': 'v1,AAAA' })).toBe(false);
    expect(verifies({ 'webhook-signature': headers()['webhook-signature'].slice(3) })).toBe(false);
    expect(verifies({ 'webhook-signature': headers()['webhook-signature'].replace('v1,', 'v2,') })).toBe(
      false,
    );
    expect(verifies({ 'webhook-signature': 'v1' })).toBe(false);
    expect(verifies({ 'webhook-signature': undefined })).toBe(false);
    expect(verifies({ 'webhook-timestamp': 'now' })).toBe(false);
    expect(verifies({ 'webhook-id': ['id-1', 'id-1'] })).toBe(false);
    expect(verifies(new Signature(OTHER).headersFor('id-1', BODY))).toBe(false);
  });

  test.each([
    [-301, false],
    [-290, true],
    [290, true],
    [302, false],
  ])('a signature %d seconds from now: %s', (seconds, expected) => {
    const at = new Date(Date.now() + seconds * 1_000);
    expect(verifies(signature.headersFor('id-1', BODY, at))).toBe(expected);
  });

  test('either secret during a change of secrets', () => {
    const both = new Signature(`${OTHER},${HTTP_SECRET}`);
    for (const one of [signature, new Signature(OTHER)]) {
      expect(both.verifies(Buffer.from(BODY), one.headersFor('x', BODY))).toBe(true);
      expect(one.verifies(Buffer.from(BODY), both.headersFor('x', BODY))).toBe(true);
    }
  });
});

import { createHmac, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook, WebhookVerificationError } from '../../sdk/src/index.js';

/* Signed by the library of Standard Webhooks. */

const ID = '01a20a68-00fd-7b4f-bca5-8c262ded4b7d';
const EVENT = { id: ID, type: 'call.ended', sequence: 7, data: { status: 'completed', note: 'é — 😀' } };
const BODY = JSON.stringify(EVENT);
const secretOf = (bytes = 24) => `whsec_${randomBytes(bytes).toString('base64')}`;
const SECRET = secretOf();

function signed(body = BODY, secret = SECRET, at = new Date()): Record<string, string> {
  return {
    'webhook-id': ID,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(ID, at, body),
  };
}

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000);

test.each([
  ['a text', BODY],
  ['a Buffer', Buffer.from(BODY)],
  ['bytes', new TextEncoder().encode(BODY)],
])('%s with its signature is an event', async (_, body) => {
  await expect(verifyWebhook(body, signed(), SECRET)).resolves.toEqual(EVENT);
});

test.each([
  ['of fetch', (headers: Record<string, string>) => new Headers(headers)],
  [
    'in any case',
    (headers: Record<string, string>) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])),
  ],
])('headers %s', async (_, made) => {
  await expect(verifyWebhook(BODY, made(signed()), SECRET)).resolves.toEqual(EVENT);
});

test('while a secret is replaced, either secret verifies either signature', async () => {
  const next = secretOf(32);
  const headers = signed();
  const both = `${headers['webhook-signature']} ${signed(BODY, next)['webhook-signature']}`;
  for (const secret of [SECRET, next]) {
    await verifyWebhook(BODY, { ...headers, 'webhook-signature': both }, secret);
    await verifyWebhook(BODY, signed(BODY, secret), [SECRET, next]);
  }
});

const forged = [
  ['of another body', () => signed('{}')],
  ['by another secret', () => signed(BODY, secretOf())],
  ['with another id', () => ({ ...signed(), 'webhook-id': 'other' })],
  [
    'with another timestamp',
    () => ({ ...signed(), 'webhook-timestamp': String(Math.floor(Date.now() / 1_000) - 9) }),
  ],
  ['that is older than five minutes', () => signed(BODY, SECRET, secondsAgo(310))],
  ['that is from the future', () => signed(BODY, SECRET, secondsAgo(-310))],
  ['without a signature', () => ({ ...signed(), 'webhook-signature': '' })],
  [
    'with half a signature',
    () => ({ ...signed(), 'webhook-signature': signed()['webhook-signature']!.slice(0, 20) }),
  ],
  ['with what is no base64', () => ({ ...signed(), 'webhook-signature': 'v1,%%%' })],
  [
    'of another scheme',
    () => ({ ...signed(), 'webhook-signature': signed()['webhook-signature']!.replace('v1', 'v2') }),
  ],
  ['with two timestamps', () => ({ ...signed(), 'webhook-timestamp': ['1', '2'] })],
  ['without a number as timestamp', () => ({ ...signed(), 'webhook-timestamp': '1e9' })],
  ['without headers', () => ({})],
] as const;

test.each(forged)('a request %s is refused', async (_, headers) => {
  await expect(verifyWebhook(BODY, headers(), SECRET)).rejects.toBeInstanceOf(WebhookVerificationError);
});

test('the tolerance can be set', async () => {
  const old = signed(BODY, SECRET, secondsAgo(600));
  await expect(verifyWebhook(BODY, old, SECRET, { tolerance: 700 })).resolves.toEqual(EVENT);
  await expect(
    verifyWebhook(BODY, signed(BODY, SECRET, secondsAgo(60)), SECRET, { tolerance: 30 }),
  ).rejects.toThrow();
});

test('signatures behind the tenth are not looked at', async () => {
  const headers = signed();
  const many = Array.from({ length: 10 }, () => `v1,${randomBytes(32).toString('base64')}`);
  const all = [...many, headers['webhook-signature']].join(' ');
  await expect(verifyWebhook(BODY, { ...headers, 'webhook-signature': all }, SECRET)).rejects.toThrow();
});

test('no secret, an empty one or none of ours verifies nothing, and is not shown', async () => {
  const withEmptyKey = createHmac('sha256', '').update(`${ID}.`).digest('base64');
  const headers = { ...signed(), 'webhook-signature': `v1,${withEmptyKey}` };
  for (const secret of [undefined, [], '', 'whsec_', 'whsec_%%', 'c2VjcmV0', [SECRET, '']]) {
    const refused = verifyWebhook(BODY, headers, secret);
    await expect(refused).rejects.toThrow(TypeError);
    await expect(refused).rejects.not.toThrow('c2VjcmV0');
  }
});

test('a body that was parsed is a mistake of the caller', async () => {
  await expect(verifyWebhook(EVENT as unknown as string, signed(), SECRET)).rejects.toThrow(/as it arrived/);
});

import fc from 'fast-check';
import { getExpectedTwilioSignature, validateRequest } from 'twilio/lib/webhooks/webhooks.js';
import { TwilioCallbacks } from '../../../src/carriers/twilio/twilio-callbacks.js';
import { nextNumber } from '../../support/builders.js';
import { AUTH_TOKEN, PUBLIC_URL } from '../../../tools/fake-carriers/fake-twilio.js';
import { RELAY, twilioOptions } from './twilio-options.js';
import { type Placed, TwilioWorld } from './twilio-world.js';
import { anyText } from '../../support/text.js';

// Which requests are accepted, and how a body that Twilio would not send is refused.

let world: TwilioWorld;
beforeAll(async () => {
  world = await TwilioWorld.start();
  await world.calling.startWorker();
});
afterAll(() => world.close());

const SID = `CA${'a'.repeat(32)}`;
type Fields = Record<string, string | string[]>;

const encoded = (fields: Fields) =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, one]),
    ),
  ).toString();

/** A POST to the API as it stands; `signature` null: none. */
function post(
  target: string,
  body: string,
  signature: string | null,
  type = 'application/x-www-form-urlencoded',
): Promise<Response> {
  const headers = { 'Content-Type': type, ...(signature !== null && { 'X-Twilio-Signature': signature }) };
  return fetch(`${world.apiUrl}${target}`, { method: 'POST', headers, body });
}
const sign = (target: string, fields: Fields, token = AUTH_TOKEN) =>
  getExpectedTwilioSignature(token, `${PUBLIC_URL}${target}`, fields);
const signed = (target: string, fields: Fields) => post(target, encoded(fields), sign(target, fields));

const STATUS = '/api/carriers/twilio/status/';
const ENDED = { CallSid: SID, CallStatus: 'completed', CallDuration: '3' };
const placed = async (settings?: Record<string, unknown>): Promise<Placed> => {
  const call = await world.place(await world.caller({}, settings));
  await world.until(call, 'in_progress');
  return call;
};

describe('a report without Twilio’s signature changes no call', () => {
  test.each([
    ['without a signature', () => null],
    ['with an empty one', () => ''],
    ['with another account’s', (target: string) => sign(target, ENDED, 'another-auth-token')],
    ['signed for another call', () => sign(`${STATUS}00000000-0000-4000-8000-000000000000`, ENDED)],
    ['signed for other fields', (target: string) => sign(target, { ...ENDED, CallStatus: 'busy' })],
    ['signed for fewer fields', (target: string) => sign(target, { CallSid: SID, CallStatus: 'completed' })],
    ['signed with a query', (target: string) => sign(`${target}?amd=async`, ENDED)],
    [
      'signed for the address behind the proxy',
      (target: string) => getExpectedTwilioSignature(AUTH_TOKEN, `${world.apiUrl}${target}`, ENDED),
    ],
    ['with a very long one', () => 'x'.repeat(8_000)],
  ])('%s', async (_, signature) => {
    const { id } = await placed();
    const target = STATUS + id;
    const answer = await post(target, encoded(ENDED), signature(target));
    const { requestId, ...body } = (await answer.json()) as Record<string, unknown>;
    expect([answer.status, body]).toEqual([401, { error: 'Invalid signature' }]);
    expect(requestId).toBe(answer.headers.get('x-request-id'));
    expect((await world.calling.row(id)).status).toBe('in_progress');
  });

  test('with a changed query changes no call', async () => {
    const { id } = await placed();
    const answer = await post(`${STATUS}${id}?amd=async`, encoded(ENDED), sign(STATUS + id, ENDED));
    expect(answer.status).toBe(401);
  });
});

describe('a report with Twilio’s signature', () => {
  test('covers the fragment of its address, which is not sent', async () => {
    const call = await placed();
    const target = STATUS + call.id;
    const ended = { ...ENDED, CallSid: world.callOf(call).sid };
    const signature = sign(`${target}#rc=3&rp=all`, ended);
    expect((await post(target, encoded(ended), signature)).status).toBe(200);
  });

  test.each([
    ['no status', { CallSid: SID }, /^CallStatus must be one of queued, /],
    ['a status of no call', { CallSid: SID, CallStatus: 'constructor' }, /^CallStatus must be one of/],
    ['two statuses', { CallSid: SID, CallStatus: ['busy', 'completed'] }, /^CallStatus must be one of/],
    ['no call', { CallStatus: 'busy' }, /^CallSid must be/],
    [
      'something else than a call',
      { CallSid: `SM${'0'.repeat(32)}`, CallStatus: 'busy' },
      /^CallSid must be/,
    ],
  ])('that says %s is 400 and names the field', async (_, fields: Fields, message) => {
    const { id } = await placed();
    const answer = await signed(STATUS + id, fields);
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { error: string }).error).toMatch(message);
    expect((await world.calling.row(id)).status).toBe('in_progress');
  });

  test.each(['00000000-0000-4000-8000-000000000000', 'unknown', '__proto__'])(
    'of call %s is 404',
    async (id) => {
      expect((await signed(STATUS + id, ENDED)).status).toBe(404);
    },
  );

  test('may contain any other fields', async () => {
    const call = await placed();
    const { id } = call;
    const odd = {
      ...ENDED,
      CallSid: world.callOf(call).sid,
      Timestamp: 'yesterday',
      CallDuration: '-1',
      SipResponseCode: '4x4',
      AnsweredBy: 'toString',
      __proto__x: 'x',
      'a b+c&d=é😀': '\u0000\ud7ff',
      hasOwnProperty: '1',
      Twice: ['b', 'a', 'b'],
    };
    expect((await signed(STATUS + id, odd)).status).toBe(200);
    expect(await world.calling.row(id)).toMatchObject({ status: 'completed', duration_seconds: null });
  });

  test.each([
    ['JSON', '{"CallSid":"x"}', 'application/json', 400],
    ['bytes that are no UTF-8', '\xff', 'text/plain', 400],
    [
      'too many fields',
      encoded(Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`f${n}`, 'x']))),
      undefined,
      400,
    ],
    ['too much', `CallSid=${'x'.repeat(70_000)}`, undefined, 413],
    ['far too much', `CallSid=${'x'.repeat(300_000)}`, undefined, 413],
  ])('cannot be %s', async (_, body, type, status) => {
    const { id } = await placed();
    expect((await post(STATUS + id, body, 'some signature', type)).status).toBe(status);
  });
});

test('forms are read on these routes alone', async () => {
  const { apiKey } = await world.caller();
  const answer = await fetch(`${world.apiUrl}/api/contacts`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}` },
    body: new URLSearchParams({ phoneNumber: nextNumber() }),
  });
  expect(answer.status).toBe(400);
});

describe('long TwiML', () => {
  const TWIML = '/api/carriers/twilio/twiml/';
  const prompt_template = `Say {{order}}. ${'Be kind. '.repeat(600)}`;

  test('is served to Twilio during the call, and to no other client', async () => {
    const call = await world.place(await world.caller({ prompt_template }), { order: 'R&D' });
    await world.until(call, 'in_progress');
    const answer = await world.twilio.report(
      world.callOf(call),
      { CallStatus: 'in-progress' },
      world.apiUrl,
      'Url',
    );
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/xml; charset=utf-8']);
    const twiml = await answer.text();
    expect(twiml).toContain(`<ConversationRelay url="${RELAY.conversationRelayUrl}">`);
    expect(twiml).toContain('name="prompt" value="Say R&amp;D. Be kind.');
    expect(twiml).toContain(`name="callRequestId" value="${call.id}"`);
    expect((await post(TWIML + call.id, encoded({ CallSid: SID }), null)).status).toBe(401);
    expect((await signed(TWIML + call.id, { Digits: '1' })).status).toBe(400);
    await world.report(call, { CallStatus: 'completed' });
    expect((await signed(TWIML + call.id, { CallSid: SID })).status).toBe(404);
    expect((await signed(`${TWIML}unknown`, { CallSid: SID })).status).toBe(404);
  });
});

test('signatures are valid exactly if the SDK’s validator accepts them', async () => {
  const callbacks = new TwilioCallbacks(twilioOptions('http://127.0.0.1:1'));
  const text = fc.oneof(anyText({ maxLength: 12 }), fc.constantFrom('', 'é', '+', '%', 'b', 'a'));
  const fields = fc.dictionary(
    text.filter((name) => name !== '__proto__'),
    fc.oneof(text, fc.array(text, { minLength: 2, maxLength: 3 })),
    { maxKeys: 4 },
  );
  const target = fc
    .tuple(fc.webPath(), fc.webQueryParameters())
    .map(([path, query]) => `/api/carriers/twilio${path}${query ? `?${query}` : ''}`);
  const forged = fc.constantFrom('none', 'token', 'field', 'signature');
  await fc.assert(
    fc.asyncProperty(target, fields, forged, text, async (address, form, how, more) => {
      const url = `${PUBLIC_URL}${address}`;
      const right = getExpectedTwilioSignature(how === 'token' ? 'x' : AUTH_TOKEN, url, form);
      const signature = how === 'signature' ? `${right.slice(1)}${more}` : right;
      const received = how === 'field' ? { ...form, added: more } : form;
      const taken = await callbacks.isSigned(signature, address, received);
      expect(taken).toBe(validateRequest(AUTH_TOKEN, signature, url, received));
      if (how === 'none') expect(taken).toBe(true);
      if (how === 'token' || how === 'field') expect(taken).toBe(false);
    }),
    { numRuns: 1_000 },
  );
});

test('every report is refused if Twilio is not configured', async () => {
  const { config } = world.calling.world;
  const { twilioAccountSid } = config;
  config.twilioAccountSid = undefined;
  try {
    const api = await world.calling.world.startApi();
    const target = `${STATUS}00000000-0000-4000-8000-000000000000`;
    const { port } = (api.getHttpServer() as { address(): { port: number } }).address();
    const answer = await fetch(`http://127.0.0.1:${port}${target}`, {
      method: 'POST',
      headers: { 'X-Twilio-Signature': sign(target, ENDED) },
      body: new URLSearchParams(ENDED),
    });
    expect(answer.status).toBe(401);
  } finally {
    config.twilioAccountSid = twilioAccountSid;
  }
});

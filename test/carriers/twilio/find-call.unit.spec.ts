import { findCallBounded } from '../../../src/carriers/bounded.js';
import { type FindCallQuery } from '../../../src/carriers/carrier.js';
import { TwilioCarrier } from '../../../src/carriers/twilio/twilio.carrier.js';
import { callRequestId, countingServer } from '../support.js';
import { FakeTwilio, PUBLIC_URL, rfc2822 } from '../../../tools/fake-carriers/fake-twilio.js';
import { RELAY, twilioOptions } from './twilio-options.js';

const ID = callRequestId(1);
const TO = '+14155550100';
const FROM = '+14155550199';
const NUMBERS = { to: TO, from: FROM };

let twilio: FakeTwilio;
let carrier: TwilioCarrier;
beforeEach(async () => {
  twilio = await FakeTwilio.start();
  carrier = new TwilioCarrier(twilioOptions(twilio.url));
});
afterEach(() => twilio.close());

const claimedAt = new Date(Date.now() - 60_000);
const query: FindCallQuery = {
  callRequestId: ID,
  to: TO,
  from: FROM,
  claimedAt,
  carrierCallId: null,
  carrierSettings: RELAY,
};
const find = (more: Partial<FindCallQuery> = {}) => findCallBounded(carrier, { ...query, ...more });

/** A call that was made so many seconds after the claim, and has ended. */
function made(secondsAfterClaim: number, more: Parameters<FakeTwilio['addCall']>[0] = NUMBERS) {
  const at = (seconds: number) =>
    rfc2822(new Date(claimedAt.getTime() + (secondsAfterClaim + seconds) * 1_000));
  return twilio.addCall({
    status: 'completed',
    date_created: at(0),
    start_time: at(1),
    end_time: at(31),
    duration: '28',
    ...more,
  });
}
const statusUrl = (id: string) => `${PUBLIC_URL}/api/carriers/twilio/status/${id}`;

test('requests the calls between the numbers since the claim at once', async () => {
  const call = made(2);
  const result = await find();
  expect(result).toEqual({
    kind: 'found',
    inferred: true,
    event: {
      callRequestId: ID,
      carrierCallId: call.sid,
      status: 'completed',
      durationSeconds: 28,
      at: new Date(call.end_time ?? ''),
      answeredAt: new Date(Date.parse(call.end_time ?? '') - 28_000),
    },
  });
  const [listing] = twilio.seen;
  expect(Object.fromEntries(listing?.query ?? [])).toEqual({
    To: TO,
    From: FROM,
    PageSize: '20',
    'StartTime>': new Date(Math.floor(claimedAt.getTime() / 1_000) * 1_000 - 5_000)
      .toISOString()
      .replace('.000', ''),
  });
  expect(twilio.seen.every(({ method }) => method === 'GET')).toBe(true);
});

test('a call with this call’s callbacks is certainly found', async () => {
  const call = made(2);
  twilio.events.set(call.sid, ['https://agent.example.com/twiml', statusUrl(ID)]);
  expect(await find()).toMatchObject({ kind: 'found', event: { carrierCallId: call.sid } });
  expect(await find()).not.toHaveProperty('inferred');
});

test('of two calls to the number, the one with this call’s callbacks is found in any order', async () => {
  const [first, second] = [made(1), made(3)];
  twilio.events.set(first.sid, [statusUrl(callRequestId(2))]);
  twilio.events.set(second.sid, [`${statusUrl(ID)}?amd=async`]);
  expect(await find()).toMatchObject({ event: { carrierCallId: second.sid } });
  expect(await find({ callRequestId: callRequestId(2) })).toMatchObject({
    event: { carrierCallId: first.sid },
  });
});

test('two possible calls resolve nothing', async () => {
  made(1);
  made(3);
  expect(await find()).toEqual({ kind: 'unknown', reason: 'carrier_ambiguous' });
});

test('a call with other callbacks is not found, even if it is the only one', async () => {
  const call = made(2);
  twilio.events.set(call.sid, [statusUrl(callRequestId(2))]);
  expect(await find()).toEqual({ kind: 'not_found' });
});

test('too many calls resolve nothing', async () => {
  for (let n = 0; n < 6; n += 1) made(1);
  expect(await find()).toEqual({ kind: 'unknown', reason: 'carrier_ambiguous' });
  for (let n = 0; n < 20; n += 1) made(100);
  expect(await find()).toEqual({ kind: 'unknown', reason: 'carrier_ambiguous' });
});

test.each([
  ['made before the claim', () => made(-30)],
  ['made after the claim had run out', () => made(45)],
  ['from another number', () => made(2, { to: TO, from: '+14155550198' })],
  ['to another number', () => made(2, { to: '+14155550101', from: FROM })],
  ['that came in', () => made(2, { ...NUMBERS, direction: 'inbound' })],
  ['that another call dialed', () => made(2, { ...NUMBERS, parent_call_sid: `CA${'f'.repeat(32)}` })],
])('a call %s is not found', async (_, make) => {
  make();
  expect(await find()).toEqual({ kind: 'not_found' });
});

test.each([
  ['busy', null, 'busy'],
  ['no-answer', null, 'no_answer'],
  ['failed', null, 'failed'],
  ['ringing', null, 'in_progress'],
  ['in-progress', null, 'in_progress'],
  ['completed', 'machine_start', 'voicemail'],
])('%s, answered by %s, is %s', async (status, answered_by, expected) => {
  made(2, { ...NUMBERS, status, answered_by, duration: status === 'completed' ? '5' : null });
  expect(await find()).toMatchObject({ kind: 'found', event: { status: expected } });
});

test('a call with a known id is requested by it', async () => {
  const call = made(2, { ...NUMBERS, from: '+14155550198' });
  const result = await find({ carrierCallId: call.sid });
  expect(result).toMatchObject({ kind: 'found', event: { carrierCallId: call.sid, status: 'completed' } });
  expect(result).not.toHaveProperty('inferred');
  expect(twilio.seen).toHaveLength(1);
  const gone = await find({ carrierCallId: `CA${'e'.repeat(32)}` });
  expect(gone).toEqual({ kind: 'unknown', reason: 'carrier_http_404' });
});

test.each(['resets', 'says 500', 'says 429'])('a look-up resolves nothing if Twilio %s', async (how) => {
  const server = await countingServer((socket) =>
    how === 'resets'
      ? socket.resetAndDestroy()
      : socket.end(`HTTP/1.1 ${how.slice(5)} X\r\nContent-Length: 0\r\n\r\n`),
  );
  const broken = new TwilioCarrier(twilioOptions(server.url));
  expect((await findCallBounded(broken, query)).kind).toBe('unknown');
  expect(server.seen.requests).toBe(1);
  await server.close();
});

describe('the check', () => {
  const check = (numbers: string[], on = carrier) => on.check(numbers, AbortSignal.timeout(5_000));

  test('names the account and each number, and dials none', async () => {
    twilio.numbers = [FROM];
    twilio.callerIds = ['+14155550198'];
    expect(await check([FROM, '+14155550198'])).toEqual({
      ok: true,
      items: [
        { what: 'account', ok: true, detail: 'active, Full' },
        { what: FROM, ok: true, detail: 'number of the account' },
        { what: '+14155550198', ok: true, detail: 'verified caller ID' },
      ],
    });
    const { ok, items } = await check([FROM, '+14155550197']);
    expect([ok, items[2]]).toEqual([
      false,
      { what: '+14155550197', ok: false, detail: 'neither a number nor a verified caller ID' },
    ]);
    expect(twilio.seen.every(({ method }) => method === 'GET')).toBe(true);
  });

  test('reports wrong credentials, and requests no numbers', async () => {
    const wrong = new TwilioCarrier(twilioOptions(twilio.url, { authToken: 'another-token-than-that' }));
    expect(await check([FROM], wrong)).toEqual({
      ok: false,
      items: [{ what: 'account', ok: false, detail: 'Twilio refuses these credentials' }],
    });
  });

  test('accepts an API key and the account’s token', async () => {
    const apiKey = { sid: `SK${'1'.repeat(32)}`, secret: 'wrong-secret' };
    const withKey = new TwilioCarrier(twilioOptions(twilio.url, { apiKey }));
    const { ok, items } = await check([FROM], withKey);
    expect([ok, items[0]?.ok, items[1]?.detail]).toEqual([false, true, 'Twilio refuses these credentials']);
  });

  test('reports an unreachable server', async () => {
    const server = await countingServer(() => undefined);
    await server.close();
    const { items } = await check([], new TwilioCarrier(twilioOptions(server.url)));
    expect(items).toEqual([{ what: 'account', ok: false, detail: 'carrier_unreachable' }]);
  });
});

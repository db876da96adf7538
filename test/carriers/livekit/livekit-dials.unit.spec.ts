import { CreateSIPParticipantRequest } from '@livekit/protocol';
import { placeCallBounded } from '../../../src/carriers/bounded.js';
import { type LiveKitCarrier } from '../../../src/carriers/livekit/livekit.carrier.js';
import { type LiveKitOptions } from '../../../src/carriers/livekit/livekit-options.js';
import { aDial, callRequestId } from '../support.js';
import { FakeLiveKit, type Fault, TRUNK } from '../../../tools/fake-carriers/fake-livekit.js';
import { answers, carrierAt, twirp } from './support.js';

const ROOM = `call-${callRequestId(1)}-0`;
const dial = aDial();

let livekit: FakeLiveKit;
const carriers: LiveKitCarrier[] = [];

beforeEach(async () => {
  livekit = await new FakeLiveKit().listen();
});
afterEach(async () => {
  await Promise.all(carriers.splice(0).map((carrier) => carrier.close()));
  await livekit.close();
});

/** At LiveKit's address as its own pages show it. */
function carrierOf(options: Partial<LiveKitOptions> = {}): LiveKitCarrier {
  const carrier = carrierAt(livekit.url.replace('http', 'ws'), options);
  carriers.push(carrier);
  return carrier;
}

const methods = (of = livekit) => of.requests.map(({ method }) => method);

describe('a dial', () => {
  it('requests a room, an agent with the call’s data, and the callee, each once', async () => {
    const request = { ...dial, variables: { plan: { tier: 'gold' } } };
    expect(await placeCallBounded(carrierOf(), request)).toEqual({ kind: 'accepted', carrierCallId: ROOM });
    expect(methods()).toEqual(['CreateDispatch', 'CreateSIPParticipant']);
    const [dispatch] = livekit.dispatches;
    expect([dispatch?.room, dispatch?.agentName]).toEqual([ROOM, 'caller']);
    expect(JSON.parse(dispatch?.metadata ?? '')).toEqual({
      version: 1,
      callRequestId: callRequestId(1),
      teamId: callRequestId(901),
      agentId: callRequestId(902),
      phoneNumber: '+14155550100',
      callerId: '+14155550199',
      participantIdentity: `phone-${callRequestId(1)}`,
      prompt: 'You are polite.',
      firstMessage: 'Hello',
      variables: { plan: { tier: 'gold' } },
    });
    expect(livekit.dials).toEqual([
      CreateSIPParticipantRequest.fromJson({
        sip_trunk_id: TRUNK,
        sip_call_to: '+14155550100',
        sip_number: '+14155550199',
        room_name: ROOM,
        participant_identity: `phone-${callRequestId(1)}`,
        ringing_timeout: '45s',
        max_call_duration: '3600s',
        wait_until_answered: false,
      }),
    ]);
  });

  it('has its own room for each claim, and the agent’s settings', async () => {
    livekit.trunks[0]!.sipTrunkId = 'ST_agent';
    const carrierSettings = { sipTrunkId: 'ST_agent', agentName: 'seller', ringingTimeoutSeconds: 20 };
    const result = await placeCallBounded(carrierOf(), { ...dial, generation: 3, carrierSettings });
    expect(result).toEqual({ kind: 'accepted', carrierCallId: `call-${callRequestId(1)}-3` });
    expect(livekit.dispatches[0]?.agentName).toBe('seller');
    expect(livekit.dials[0]?.ringingTimeout?.seconds).toBe(20n);
  });

  it('uses each connection once', async () => {
    const carrier = carrierOf();
    for (const generation of [0, 1, 2]) await placeCallBounded(carrier, { ...dial, generation });
    const connections = livekit.requests.map(({ connection }) => connection);
    expect(new Set(connections).size).toBe(6);
  });

  it('is not started if a setting is missing', async () => {
    const carrier = carrierOf({ sipTrunkId: undefined });
    const refused = { kind: 'refused', reason: 'livekit_settings_invalid' };
    expect(await placeCallBounded(carrier, dial)).toEqual(refused);
    expect(livekit.requests).toEqual([]);
  });
});

// What arrives is counted by the server; a second CreateSIPParticipant would be a second call.
describe('exactly one CreateSIPParticipant is sent, for any answer', () => {
  it.each<[string, Fault, object]>([
    ['500', twirp(500, 'internal'), { kind: 'unknown', reason: 'livekit_internal' }],
    ['503', twirp(503, 'unavailable'), { kind: 'unknown', reason: 'livekit_unavailable' }],
    ['502 of a proxy', answers(502, '<html>'), { kind: 'unknown', reason: 'carrier_http_502' }],
    ['404 of a proxy', answers(404, '<html>'), { kind: 'unknown', reason: 'carrier_http_404' }],
    ['401', answers(401, 'invalid API key'), { kind: 'unknown', reason: 'livekit_unauthenticated' }],
    ['408', twirp(408, 'deadline_exceeded'), { kind: 'unknown', reason: 'livekit_deadline_exceeded' }],
    ['421', answers(421), { kind: 'unknown', reason: 'carrier_http_421' }],
    ['a redirect', answers(307, '', { location: '/x' }), { kind: 'unknown', reason: 'carrier_http_307' }],
    [
      'a reset',
      (response) => response.socket?.resetAndDestroy(),
      { kind: 'unknown', reason: 'carrier_reset' },
    ],
    ['a close', (response) => response.socket?.destroy(), { kind: 'unknown', reason: 'carrier_reset' }],
    ['no JSON', answers(200, 'ok'), { kind: 'unknown', reason: 'carrier_broken_answer' }],
    ['other JSON', answers(200, '[3]'), { kind: 'unknown', reason: 'carrier_broken_answer' }],
  ])('%s', async (_name, fault, expected) => {
    livekit.faults.set('CreateSIPParticipant', fault);
    expect(await placeCallBounded(carrierOf(), dial)).toEqual(expected);
    // The call may be ringing: its room stays.
    expect(methods()).toEqual(['CreateDispatch', 'CreateSIPParticipant']);
  });

  it.each<[string, Fault, object]>([
    [
      'a bad request',
      twirp(400, 'invalid_argument'),
      { kind: 'refused', reason: 'livekit_invalid_argument' },
    ],
    ['no such trunk', twirp(404, 'not_found'), { kind: 'refused', reason: 'livekit_not_found' }],
    [
      'too many at a time',
      answers(429, { code: 'resource_exhausted', msg: '' }, { 'retry-after': '7' }),
      { kind: 'throttled', reason: 'livekit_resource_exhausted', retryAfterMs: 7_000 },
    ],
    [
      'too many for a proxy',
      answers(429, '<html>'),
      { kind: 'throttled', reason: 'livekit_resource_exhausted', retryAfterMs: 1_000 },
    ],
    [
      'a number that does not exist',
      twirp(404, 'not_found', { sip_status_code: '404', sip_status: 'Not Found' }),
      { kind: 'refused', reason: 'sip_404' },
    ],
  ])('and the room is empty after %s', async (_name, fault, expected) => {
    livekit.faults.set('CreateSIPParticipant', fault);
    expect(await placeCallBounded(carrierOf(), dial)).toEqual(expected);
    expect(methods()).toEqual(['CreateDispatch', 'CreateSIPParticipant', 'DeleteRoom']);
    expect(livekit.rooms.get(ROOM)).toBeUndefined();
  });

  it('a call that SIP ended is unknown if the end cannot be stored', async () => {
    livekit.faults.set('CreateSIPParticipant', twirp(429, 'resource_exhausted', { sip_status_code: '486' }));
    const carrier = carrierOf();
    carrier.onEvent(() => Promise.reject(new Error('no database')));
    expect(await placeCallBounded(carrier, dial)).toEqual({ kind: 'unknown', reason: 'sip_486' });
    expect(livekit.count('CreateSIPParticipant')).toBe(1);
  });

  // LiveKit answers a busy callee 429, which must not be taken for a limit and dialed again.
  it.each([
    ['486', 'Busy Here', 'busy', 'sip_486'],
    ['480', 'Temporarily Unavailable', 'no_answer', 'sip_480'],
    ['603', 'Decline', 'failed', 'declined'],
    ['607', 'Unwanted', 'failed', 'declined'],
    ['608', 'Rejected', 'failed', 'network_blocked'],
    ['603', 'Network Blocked', 'failed', 'network_blocked'],
    ['603', 'SIP;cause=603;text="v=analytics1;url=https://example.com"', 'failed', 'network_blocked'],
    ['503', 'Service Unavailable', 'failed', 'sip_503'],
  ])('a call that SIP %s %s ended has ended', async (status, text, end, reason) => {
    const meta = { sip_status_code: status, sip_status: text };
    livekit.faults.set('CreateSIPParticipant', twirp(429, 'resource_exhausted', meta));
    const carrier = carrierOf();
    const events: unknown[] = [];
    carrier.onEvent((event) => Promise.resolve(void events.push(event)));
    expect(await placeCallBounded(carrier, dial)).toEqual({ kind: 'accepted', carrierCallId: ROOM });
    expect(events).toMatchObject([{ callRequestId: callRequestId(1), status: end, reason }]);
    expect(livekit.count('CreateSIPParticipant')).toBe(1);
  });
});

describe('no CreateSIPParticipant is sent', () => {
  it.each<[string, Fault, object]>([
    ['500', twirp(500, 'internal'), { kind: 'unreachable', reason: 'livekit_internal' }],
    ['403', twirp(403, 'permission_denied'), { kind: 'refused', reason: 'livekit_permission_denied' }],
    [
      'a reset',
      (response) => response.socket?.resetAndDestroy(),
      { kind: 'unreachable', reason: 'carrier_reset' },
    ],
    ['a redirect', answers(307, '', { location: '/x' }), { kind: 'refused', reason: 'carrier_http_307' }],
    ['no JSON', answers(200, 'ok'), { kind: 'unreachable', reason: 'carrier_broken_answer' }],
    [
      '429',
      answers(429, '', { 'retry-after': '2' }),
      { kind: 'throttled', reason: 'livekit_resource_exhausted', retryAfterMs: 2_000 },
    ],
  ])('after %s to the dispatch, whose room is deleted', async (_name, fault, expected) => {
    livekit.faults.set('CreateDispatch', fault);
    expect(await placeCallBounded(carrierOf(), dial)).toEqual(expected);
    expect(methods()).toEqual(['CreateDispatch', 'DeleteRoom']);
  });

  it('when LiveKit cannot be reached', async () => {
    const carrier = carrierOf();
    await livekit.close();
    const unreachable = { kind: 'unreachable', reason: 'carrier_unreachable' };
    expect(await placeCallBounded(carrier, dial)).toEqual(unreachable);
    livekit = await new FakeLiveKit().listen();
  });

  it('when LiveKit refuses the credentials', async () => {
    const carrier = carrierOf({ apiSecret: 'another-secret-of-32-characters-or-more' });
    const refused = { kind: 'refused', reason: 'livekit_unauthenticated' };
    expect(await placeCallBounded(carrier, dial)).toEqual(refused);
    expect(livekit.dials).toEqual([]);
  });

  it('after the abort, even if the dispatch is answered late', async () => {
    const abort = new AbortController();
    livekit.faults.set('CreateDispatch', (response) => {
      abort.abort();
      response.end('{}');
    });
    const result = await carrierOf().placeCall(dial, abort.signal);
    expect(result.kind).toBe('unreachable');
    expect(methods()).toEqual(['CreateDispatch']);
  });

  it('after the carrier was closed', async () => {
    const carrier = carrierOf();
    livekit.faults.set('CreateDispatch', (response) => void carrier.close().then(() => response.end('{}')));
    expect((await placeCallBounded(carrier, dial)).kind).toBe('unreachable');
    expect(methods()).toEqual(['CreateDispatch']);
  });
});

// Each test has its own LiveKit, because the tests run concurrently. Both wait for timeouts.
describe('a hang', () => {
  it.concurrent('to CreateSIPParticipant leaves the room: the call may be ringing', async () => {
    expect(await dialHanging('CreateSIPParticipant', 2_000)).toEqual({
      result: { kind: 'unknown', reason: 'carrier_timeout' },
      methods: ['CreateDispatch', 'CreateSIPParticipant'],
    });
  });

  it.concurrent('to the dispatch sends no CreateSIPParticipant, and the room is deleted', async () => {
    expect(await dialHanging('CreateDispatch', 3_000)).toEqual({
      result: { kind: 'unreachable', reason: 'carrier_timeout' },
      methods: ['CreateDispatch', 'DeleteRoom'],
    });
  });

  async function dialHanging(method: string, timeoutMs: number) {
    const hanging = await new FakeLiveKit().listen();
    hanging.faults.set(method, () => undefined);
    const carrier = carrierAt(hanging.url, { timeoutMs });
    const result = await placeCallBounded(carrier, dial);
    await carrier.close();
    await hanging.close();
    return { result, methods: methods(hanging) };
  }
});

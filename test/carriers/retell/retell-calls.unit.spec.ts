import { type PlaceCallRequest } from '../../../src/carriers/carrier.js';
import { retellEvent, retellResult } from '../../../src/carriers/retell/retell-call.js';
import { retellDial, retellDialResult } from '../../../src/carriers/retell/retell-dial.js';
import { retellMeaning } from '../../../src/carriers/retell/retell-outcomes.js';
import { retellSettingsProblem } from '../../../src/carriers/retell/retell-settings.js';
import { isSignedByRetell, signRetell } from '../../../src/carriers/retell/retell-signature.js';
import { aDial, callRequestId } from '../support.js';
import { RETELL_SETTINGS } from './retell-options.js';

const ID = callRequestId(1);
const STARTED = Date.UTC(2026, 10, 28, 12);

describe('a signature', () => {
  const body = Buffer.from('{"event":"call_ended","call":{}}');
  const now = STARTED;
  const signed = signRetell('the-webhook-key', body.toString(), now);

  test('of the key over exactly these bytes is taken, also under the key before the last rotation', () => {
    expect(isSignedByRetell(['the-webhook-key'], signed, body, now)).toBe(true);
    expect(isSignedByRetell(['a-newer-key', 'the-webhook-key'], signed, body, now + 299_000)).toBe(true);
  });

  test.each([
    ['another key', ['another-key'], signed, body, now],
    ['other bytes', ['the-webhook-key'], signed, Buffer.from('{"event": "call_ended","call":{}}'), now],
    ['an old time', ['the-webhook-key'], signed, body, now + 301_000],
    ['a time to come', ['the-webhook-key'], signed, body, now - 301_000],
    [
      'another time than the signed one',
      ['the-webhook-key'],
      signed.replace(/^v=\d+/, `v=${now + 1}`),
      body,
      now,
    ],
    ['no key', [], signed, body, now],
    ['no signature', ['the-webhook-key'], undefined, body, now],
    ['a digest alone', ['the-webhook-key'], signed.slice(signed.indexOf('d=') + 2), body, now],
  ])('with %s is refused', (_, keys, signature, bytes, at) => {
    expect(isSignedByRetell(keys, signature, bytes, at)).toBe(false);
  });
});

describe('a dial', () => {
  const disclosures = [
    { id: 'us-identity', text: 'This is Acme.' },
    { id: 'us-voice', text: 'You hear a machine.' },
  ];
  const texts = (more: Partial<PlaceCallRequest>) =>
    retellDial({ ...aDial(), ...more }, RETELL_SETTINGS, 'https://calls.example.com');

  test('has what the law requires to be said as a variable, unless a variable has that name', () => {
    expect(texts({ disclosures, variables: { order: 7 } })).toMatchObject({
      retell_llm_dynamic_variables: { order: '7', disclosures: 'This is Acme. You hear a machine.' },
    });
    expect(texts({ disclosures, variables: { disclosures: 'own' } })).toMatchObject({
      retell_llm_dynamic_variables: { disclosures: 'own' },
    });
  });

  test('in which nothing must be said has no such variable', () => {
    expect(texts({})).not.toHaveProperty('retell_llm_dynamic_variables.disclosures');
  });
});

describe('a description of a call', () => {
  const call = (fields: object) => ({ call_id: 'call_1', ...fields });

  test('that goes on is in progress, and answered once it is connected', () => {
    expect(retellEvent(ID, call({ call_status: 'registered' }))).toMatchObject({ status: 'in_progress' });
    expect(retellEvent(ID, call({ call_status: 'registered' }))).not.toHaveProperty('answeredAt');
    expect(retellEvent(ID, call({ call_status: 'ongoing', start_timestamp: STARTED }))).toMatchObject({
      status: 'in_progress',
      answeredAt: new Date(STARTED),
    });
  });

  test('that has ended has its instants and its duration', () => {
    const ended = { call_status: 'ended', start_timestamp: STARTED, end_timestamp: STARTED + 61_400 };
    expect(retellEvent(ID, call({ ...ended, disconnection_reason: 'agent_hangup' }))).toEqual({
      callRequestId: ID,
      carrierCallId: 'call_1',
      status: 'completed',
      at: new Date(STARTED + 61_400),
      answeredAt: new Date(STARTED),
      durationSeconds: 61,
    });
  });

  test.each([
    ['dial_no_answer', 'no_answer', undefined],
    ['dial_busy', 'busy', undefined],
    ['dial_failed', 'failed', 'dial_failed'],
    ['voicemail_reached', 'voicemail', 'voicemail_reached'],
    ['user_declined', 'failed', 'declined'],
    ['marked_as_spam', 'failed', 'network_blocked'],
    ['concurrency_limit_reached', 'failed', 'concurrency_limit_reached'],
    ['no_valid_payment', 'failed', 'no_valid_payment'],
    ['error_of_tomorrow', 'failed', 'error_of_tomorrow'],
    ['Something +14155550100', 'failed', 'something'],
  ])('that ended by %s is %s', (reason, status, stored) => {
    const event = retellEvent(ID, call({ call_status: 'not_connected', disconnection_reason: reason }));
    expect([event?.status, event?.reason]).toEqual([status, stored]);
  });

  test('without an id is unreadable', () => {
    expect(retellEvent(ID, { call_status: 'ended' })).toBeNull();
  });

  test('has a result only once it is analyzed', () => {
    const ended = call({
      call_status: 'ended',
      transcript: 'Agent: Hello',
      recording_url: 'https://r.example/1.wav',
    });
    expect(retellResult(ended, {})).toBeUndefined();
    const analyzed = {
      ...ended,
      call_analysis: {
        call_summary: 'They asked not to be called.',
        user_sentiment: 'Negative',
        custom_analysis_data: { do_not_call: true, outcome: 'not interested' },
      },
    };
    const paths = {
      optOutPath: 'custom_analysis_data.do_not_call',
      dispositionPath: 'custom_analysis_data.outcome',
    };
    expect(retellResult(analyzed, paths)).toEqual({
      disposition: 'not interested',
      callbackAt: null,
      optOut: true,
      data: {
        summary: 'They asked not to be called.',
        transcript: 'Agent: Hello',
        recordingUrl: 'https://r.example/1.wav',
        analysis: {
          user_sentiment: 'Negative',
          custom_analysis_data: { do_not_call: true, outcome: 'not interested' },
        },
      },
    });
  });
});

test('a reason of a later version is read by its beginning, and any other is a failure', () => {
  expect(retellMeaning('voicemail_of_tomorrow')?.status).toBe('voicemail');
  expect(retellMeaning('call_screened')?.status).toBe('voicemail');
  expect(retellMeaning('toString')).toBeNull();
  const ended = { call_id: 'call_1', call_status: 'ended' };
  expect(retellEvent(ID, { ...ended, disconnection_reason: 'toString' })).toMatchObject({
    status: 'failed',
    reason: 'tostring',
    unknownWord: true,
  });
  expect(retellEvent(ID, { ...ended, disconnection_reason: 'error_of_tomorrow' })).not.toHaveProperty(
    'unknownWord',
  );
  const screened = { disconnection_reason: 'call_screened', call_analysis: { call_summary: 'A bot.' } };
  expect(retellResult(screened, {})?.data).toEqual({ answeredBy: 'screening_bot', summary: 'A bot.' });
});

test.each([
  [401, { status: 'error', message: 'x' }, { kind: 'refused', reason: 'carrier_unauthorized' }],
  [402, { status: 'error', message: 'x' }, { kind: 'refused', reason: 'carrier_payment_required' }],
  [404, { status: 'error', message: 'x' }, { kind: 'refused', reason: 'carrier_agent_not_found' }],
  [422, { status: 'error', message: 'x' }, { kind: 'refused', reason: 'carrier_request_invalid' }],
  [422, { error: 'of a proxy' }, { kind: 'unknown', reason: 'carrier_http_422' }],
  [500, { status: 'error', message: 'x' }, { kind: 'unknown', reason: 'carrier_http_500' }],
  [201, { call_id: 'two words' }, { kind: 'unknown', reason: 'carrier_unreadable' }],
  [429, {}, { kind: 'throttled', reason: 'carrier_throttled', retryAfterMs: 10_000 }],
])('the answer %i %j to a dial means %j', (status, value, result) => {
  expect(retellDialResult({ kind: 'answer', status, headers: {}, value })).toEqual(result);
});

test.each([
  [{}, 'carrierSettings.agentId is required'],
  [
    { agentId: 'two words' },
    'carrierSettings.agentId must be 1 to 200 printable ASCII characters without spaces',
  ],
  [
    { agentId: 'a', ringTimeoutSeconds: 4 },
    'carrierSettings.ringTimeoutSeconds must be a whole number from 5 to 300',
  ],
  [
    { agentId: 'a', optOutPath: 'a..b' },
    'carrierSettings.optOutPath must be names with dots between them, such as custom.do_not_call',
  ],
  [
    { agentId: 'a', apiKey: 'hush' },
    'carrierSettings has a field that the carrier retell does not know; it knows agentId, agentVersion, ringTimeoutSeconds, optOutPath, dispositionPath',
  ],
])('of the settings %j it is said: %s', (settings, message) => {
  expect(retellSettingsProblem(settings)).toBe(message);
});

import { hangUpBounded } from '../../../src/carriers/bounded.js';
import { type PlaceCallRequest } from '../../../src/carriers/carrier.js';
import {
  callRequestOf,
  conversationEvent,
  elevenLabsResult,
  failureEvent,
} from '../../../src/carriers/elevenlabs/elevenlabs-call.js';
import { elevenLabsDial, elevenLabsDialResult } from '../../../src/carriers/elevenlabs/elevenlabs-dial.js';
import { elevenLabsSettingsProblem } from '../../../src/carriers/elevenlabs/elevenlabs-settings.js';
import {
  isSignedByElevenLabs,
  signElevenLabs,
} from '../../../src/carriers/elevenlabs/elevenlabs-signature.js';
import { ElevenLabsCarrier } from '../../../src/carriers/elevenlabs/elevenlabs.carrier.js';
import { aDial, callRequestId } from '../support.js';
import { ELEVENLABS_SETTINGS, elevenLabsOptions } from './elevenlabs-options.js';

const ID = callRequestId(1);
const STARTED_SECONDS = Date.UTC(2026, 10, 28, 12) / 1_000;
const STARTED = new Date(STARTED_SECONDS * 1_000);

describe('a signature', () => {
  const body = Buffer.from('{"type":"post_call_transcription","data":{}}');
  const now = STARTED.getTime();
  const signed = signElevenLabs('the-secret', body.toString(), now);
  const [time = '', digest = ''] = signed.split(',');

  test.each([
    ['of the secret', ['the-secret'], signed, now],
    ['of the secret before the last rotation', ['a-newer-secret', 'the-secret'], signed, now + 299_000],
    ['with a space', ['the-secret'], `${time}, ${digest}`, now],
    ['among two', ['the-secret'], `${time},v0=${'0'.repeat(64)},${digest}`, now],
  ])('%s over exactly these bytes is taken', (_, secrets, signature, at) => {
    expect(isSignedByElevenLabs(secrets, signature, body, at)).toBe(true);
  });

  test.each([
    ['another secret', ['another-secret'], signed, body, now],
    ['other bytes', ['the-secret'], signed, Buffer.from('{"type": "post_call_transcription"}'), now],
    ['an old time', ['the-secret'], signed, body, now + 301_000],
    ['a time to come', ['the-secret'], signed, body, now - 301_000],
    ['another time than the signed one', ['the-secret'], `t=${STARTED_SECONDS + 1},${digest}`, body, now],
    ['no secret', [], signed, body, now],
    ['no signature', ['the-secret'], undefined, body, now],
    ['a digest alone', ['the-secret'], digest, body, now],
    ['a time alone', ['the-secret'], time, body, now],
  ])('with %s is refused', (_, secrets, signature, bytes, at) => {
    expect(isSignedByElevenLabs(secrets, signature, bytes, at)).toBe(false);
  });
});

describe('a dial', () => {
  const dialed = (settings: object = {}, more: Partial<PlaceCallRequest> = {}) =>
    elevenLabsDial({ ...aDial(), ...more }, { ...ELEVENLABS_SETTINGS, ...settings }, 'phnum_1');

  test('names the agent, the number and the call', () => {
    expect(dialed({}, { variables: { order: 7 } })).toEqual({
      agent_id: ELEVENLABS_SETTINGS.agentId,
      agent_phone_number_id: 'phnum_1',
      to_number: '+14155550100',
      conversation_initiation_client_data: {
        user_id: ID,
        dynamic_variables: {
          order: '7',
          prompt: 'You are polite.',
          first_message: 'Hello',
          call_request_id: ID,
          outdial_call_request_id: ID,
          outdial_generation: '0',
        },
      },
    });
  });

  test('replaces texts at ElevenLabs and rings for a time if the settings say so', () => {
    const settings = { overrideFirstMessage: true, overridePrompt: true, ringTimeoutSeconds: 30 };
    expect(dialed(settings)).toMatchObject({
      conversation_initiation_client_data: {
        conversation_config_override: {
          agent: { first_message: 'Hello', prompt: { prompt: 'You are polite.' } },
        },
      },
      telephony_call_config: { ringing_timeout_secs: 30 },
    });
    expect(dialed(settings, { firstMessage: '', prompt: ' ' })).not.toHaveProperty(
      'conversation_initiation_client_data.conversation_config_override',
    );
  });

  test('has what the law requires to be said as a variable', () => {
    expect(dialed({}, { disclosures: [{ id: 'us-identity', text: 'This is Acme.' }] })).toMatchObject({
      conversation_initiation_client_data: { dynamic_variables: { disclosures: 'This is Acme.' } },
    });
  });
});

describe('a conversation', () => {
  const conversation = (fields: object) => ({ conversation_id: 'conv_1', ...fields });
  const metadata = { start_time_unix_secs: STARTED_SECONDS, call_duration_secs: 61 };

  test('is one of Outdial by its variables, or by its user', () => {
    const dynamic_variables = { outdial_call_request_id: ID.toUpperCase() };
    expect(callRequestOf({ conversation_initiation_client_data: { dynamic_variables } })).toBe(ID);
    expect(callRequestOf({ conversation_initiation_client_data: { user_id: ID } })).toBe(ID);
    expect(callRequestOf({ user_id: ID })).toBe(ID);
    expect(callRequestOf({ user_id: 'ada@example.com' })).toBeNull();
    expect(callRequestOf({})).toBeNull();
  });

  test.each([
    ['initiated', undefined],
    ['in-progress', STARTED],
    ['processing', STARTED],
  ])('that is %s is in progress', (status, answeredAt) => {
    const event = conversationEvent(ID, conversation({ status, metadata }));
    expect([event?.status, event?.answeredAt]).toEqual(['in_progress', answeredAt]);
  });

  test('that is done has its instants and its duration', () => {
    expect(conversationEvent(ID, conversation({ status: 'done', metadata }))).toEqual({
      callRequestId: ID,
      carrierCallId: 'conv_1',
      status: 'completed',
      at: new Date(STARTED.getTime() + 61_000),
      answeredAt: STARTED,
      durationSeconds: 61,
    });
  });

  test.each([
    ['by their detection', { features_usage: { voicemail_detection: { enabled: true, used: true } } }, {}],
    ['by its end', { termination_reason: 'voicemail_detection tool was called.' }, {}],
    [
      'by a tool',
      {},
      {
        transcript: [
          {
            role: 'agent',
            tool_calls: [{ tool_name: 'voicemail_detection', tool_has_been_called: true }],
          },
        ],
      },
    ],
  ])('with a voicemail, %s, is no conversation with a person', (_, more, fields) => {
    const event = conversationEvent(
      ID,
      conversation({ status: 'done', metadata: { ...metadata, ...more }, ...fields }),
    );
    expect([event?.status, event?.reason]).toEqual(['voicemail', 'voicemail_detected']);
  });

  test('with a screening bot is kept as such', () => {
    const screened = conversation({
      status: 'done',
      metadata: { ...metadata, termination_reason: 'Call screening detected' },
    });
    const event = conversationEvent(ID, screened);
    expect([event?.status, event?.reason]).toEqual(['voicemail', 'call_screening_detected']);
    expect(elevenLabsResult(screened, {})?.data).toEqual({ answeredBy: 'screening_bot' });
  });

  test.each([
    [{ termination_reason: 'no-answer' }, 'no_answer', undefined, undefined],
    [{ error: { code: 1, reason: 'Busy here' } }, 'busy', undefined, undefined],
    [{ termination_reason: 'Rejected by user' }, 'failed', 'declined', undefined],
    [{ termination_reason: 'Twilio error 12' }, 'failed', 'twilio_error', undefined],
    [{ termination_reason: 'Moon eclipse' }, 'failed', 'moon_eclipse', true],
    [{}, 'failed', 'carrier_failed', undefined],
  ])('that failed with %j is %s, %s', (more, status, reason, unknownWord) => {
    const event = conversationEvent(
      ID,
      conversation({ status: 'failed', metadata: { ...metadata, ...more } }),
    );
    expect([event?.status, event?.reason, event?.unknownWord]).toEqual([status, reason, unknownWord]);
  });

  test('has a result', () => {
    const ended = conversation({
      status: 'done',
      metadata,
      transcript: [
        { role: 'agent', message: 'Hello', time_in_call_secs: 0 },
        { role: 'agent', message: null, time_in_call_secs: 1 },
        { role: 'user', message: 'Stop calling me', time_in_call_secs: 2 },
      ],
      analysis: {
        transcript_summary: 'They asked not to be called.',
        call_successful: 'failure',
        data_collection_results: { do_not_call: { value: true }, outcome: { value: 'refused' } },
      },
    });
    const paths = {
      optOutPath: 'data_collection_results.do_not_call.value',
      dispositionPath: 'data_collection_results.outcome.value',
    };
    expect(elevenLabsResult(ended, paths)).toEqual({
      disposition: 'refused',
      callbackAt: null,
      optOut: true,
      data: {
        summary: 'They asked not to be called.',
        transcript: 'Agent: Hello\nUser: Stop calling me',
        analysis: {
          call_successful: 'failure',
          data_collection_results: { do_not_call: { value: true }, outcome: { value: 'refused' } },
        },
      },
    });
    expect(elevenLabsResult(conversation({ transcript: [], analysis: null }), {})).toBeUndefined();
  });

  test('without an id is unreadable', () => {
    expect(conversationEvent(ID, { status: 'done' })).toBeNull();
    expect(failureEvent(ID, { failure_reason: 'busy' }, STARTED)).toBeNull();
  });
});

test.each([
  ['busy', {}, 'busy', undefined, undefined],
  ['no-answer', {}, 'no_answer', undefined, undefined],
  ['unknown', {}, 'failed', 'unknown', undefined],
  ['unknown', { CallStatus: 'no-answer' }, 'no_answer', undefined, undefined],
  ['unknown', { sip_status_code: 480 }, 'no_answer', undefined, undefined],
  ['busy', { sip_status_code: 603, sip_status: 'Decline' }, 'failed', 'declined', undefined],
  [
    'unknown',
    { sip_status_code: 603, sip_status: 'Network Blocked' },
    'failed',
    'network_blocked',
    undefined,
  ],
  ['unknown', { sip_status_code: 503 }, 'failed', 'unknown', undefined],
  ['moon-eclipse', {}, 'failed', 'moon_eclipse', true],
])(
  'a call that was not started for %s with %j is %s, %s',
  (failure_reason, body, status, reason, unknownWord) => {
    const report = { conversation_id: 'conv_1', failure_reason, metadata: { type: 'sip', body } };
    const event = failureEvent(ID, report, STARTED);
    expect(event).toMatchObject({ carrierCallId: 'conv_1', at: STARTED });
    expect([event?.status, event?.reason, event?.unknownWord]).toEqual([status, reason, unknownWord]);
  },
);

const refusal = (status: string) => ({ detail: { status, message: 'x' } });

test.each([
  [401, refusal('invalid_api_key'), { kind: 'refused', reason: 'carrier_unauthorized' }],
  [401, refusal('quota_exceeded'), { kind: 'refused', reason: 'carrier_payment_required' }],
  [403, refusal('missing_permissions'), { kind: 'refused', reason: 'carrier_unauthorized' }],
  [404, refusal('agent_not_found'), { kind: 'refused', reason: 'carrier_agent_not_found' }],
  [404, refusal('phone_number_not_found'), { kind: 'refused', reason: 'carrier_number_unknown' }],
  [422, { detail: [{ msg: 'x' }] }, { kind: 'refused', reason: 'carrier_request_invalid' }],
  [400, { detail: 'x' }, { kind: 'refused', reason: 'carrier_request_invalid' }],
  [
    400,
    refusal('too_many_concurrent_requests'),
    { kind: 'throttled', reason: 'carrier_throttled', retryAfterMs: 10_000 },
  ],
  [422, { error: 'of a proxy' }, { kind: 'unknown', reason: 'carrier_http_422' }],
  [500, refusal('x'), { kind: 'unknown', reason: 'carrier_http_500' }],
  [200, { success: true, conversation_id: null }, { kind: 'unknown', reason: 'carrier_unreadable' }],
  [
    200,
    { success: false, message: 'x', conversation_id: null, callSid: null },
    { kind: 'refused', reason: 'carrier_call_refused' },
  ],
  [
    200,
    { success: false, message: 'x', conversation_id: null, callSid: 'CA1' },
    { kind: 'unknown', reason: 'carrier_call_refused' },
  ],
  [
    200,
    { success: false, message: 'x', conversation_id: 'conv_1' },
    { kind: 'accepted', carrierCallId: 'conv_1' },
  ],
  [429, {}, { kind: 'throttled', reason: 'carrier_throttled', retryAfterMs: 10_000 }],
])('the answer %i %j to a dial means %j', (status, value, result) => {
  expect(elevenLabsDialResult({ kind: 'answer', status, headers: {}, value }, 'twilio')).toEqual(result);
});

test('a SIP trunk that failed may have rung', () => {
  const value = { success: false, message: 'x', conversation_id: null, sip_call_id: null };
  const answer = { kind: 'answer' as const, status: 200, headers: {}, value };
  expect(elevenLabsDialResult(answer, 'sip_trunk')).toEqual({
    kind: 'unknown',
    reason: 'carrier_call_refused',
  });
});

test.each([
  [{}, 'carrierSettings.agentId is required'],
  [{ agentId: 'a', telephony: 'sip' }, 'carrierSettings.telephony must be one of twilio, sip_trunk'],
  [{ agentId: 'a', overridePrompt: 'yes' }, 'carrierSettings.overridePrompt must be true or false'],
  [
    { agentId: 'a', apiKey: 'hush' },
    'carrierSettings has a field that the carrier elevenlabs does not know; it knows agentId, telephony, phoneNumberIds, ringTimeoutSeconds, overrideFirstMessage, overridePrompt, optOutPath, dispositionPath',
  ],
])('of the settings %j it is said: %s', (settings, message) => {
  expect(elevenLabsSettingsProblem(settings)).toBe(message);
});

test('a conversation cannot be hung up', async () => {
  const carrier = new ElevenLabsCarrier(elevenLabsOptions('http://127.0.0.1:9'));
  const result = await hangUpBounded(carrier, {
    callRequestId: ID,
    carrierCallId: 'conv_1',
    to: '+14155550100',
    answered: true,
    carrierSettings: ELEVENLABS_SETTINGS,
  });
  expect(result).toEqual({ kind: 'cannot_hang_up' });
  await carrier.close();
});

import { hangUpBounded } from '../../../src/carriers/bounded.js';
import { conversationResult } from '../../../src/carriers/conversation-result.js';
import { callRequestOf, vapiEvent, vapiNameOf, vapiResult } from '../../../src/carriers/vapi/vapi-call.js';
import { vapiDial, vapiDialResult } from '../../../src/carriers/vapi/vapi-dial.js';
import { vapiMeaning } from '../../../src/carriers/vapi/vapi-outcomes.js';
import { callOfSecret, secretOf } from '../../../src/carriers/vapi/vapi-secret.js';
import { vapiSettingsProblem } from '../../../src/carriers/vapi/vapi-settings.js';
import { VapiCarrier } from '../../../src/carriers/vapi/vapi.carrier.js';
import { type PlaceCallRequest } from '../../../src/carriers/carrier.js';
import { FakeVapi, VAPI_KEY } from '../../../tools/fake-carriers/fake-vapi.js';
import { aDial, callRequestId } from '../support.js';
import { VAPI_SETTINGS, vapiOptions } from './vapi-options.js';

const ID = callRequestId(1);
const STARTED = '2026-11-28T12:00:00.000Z';
const ENDED = '2026-11-28T12:01:01.400Z';

describe('the secret of a call', () => {
  const secret = secretOf('the-private-key', ID);

  test('allows reports about this call, also under the key before the last rotation', () => {
    expect(callOfSecret(['the-private-key'], secret)).toBe(ID);
    expect(callOfSecret(['a-newer-key', 'the-private-key'], secret)).toBe(ID);
  });

  test.each([
    ['of another key', ['another-key'], secret],
    ['of another call', ['the-private-key'], secret.replace(/^.{36}/, callRequestId(2))],
    ['that lacks its end', ['the-private-key'], secret.slice(0, -1)],
    ['that is the key itself', ['the-private-key'], 'the-private-key'],
    ['that is empty', ['the-private-key'], ''],
    ['without a key', [], secret],
  ])('%s is refused', (_, keys, given) => {
    expect(callOfSecret(keys, given)).toBeNull();
  });
});

describe('a dial', () => {
  const dialed = (more: Partial<PlaceCallRequest> = {}) =>
    vapiDial(
      { ...aDial(), ...more },
      {
        settings: VAPI_SETTINGS,
        phoneNumberId: 'number-1',
        apiKey: VAPI_KEY,
        publicUrl: 'https://calls.example.com',
      },
    );

  test('names the call, the assistant, the number and the address of reports', () => {
    expect(dialed({ variables: { order: 7 } })).toEqual({
      name: '00000000000040008000000000000001-0',
      assistantId: VAPI_SETTINGS.assistantId,
      phoneNumberId: 'number-1',
      customer: { number: '+14155550100' },
      assistantOverrides: {
        firstMessage: 'Hello',
        variableValues: {
          order: '7',
          prompt: 'You are polite.',
          first_message: 'Hello',
          call_request_id: ID,
        },
        serverMessages: ['status-update', 'end-of-call-report'],
        server: {
          url: 'https://calls.example.com/api/carriers/vapi/events',
          headers: { 'X-Outdial-Secret': secretOf(VAPI_KEY, ID) },
          backoffPlan: { type: 'exponential', maxRetries: 5, baseDelaySeconds: 1 },
        },
      },
    });
  });

  test('of an agent without a first message leaves Vapi’s as it is', () => {
    expect(dialed({ firstMessage: '' })).not.toHaveProperty('assistantOverrides.firstMessage');
  });

  test('has what the law requires to be said as a variable', () => {
    expect(dialed({ disclosures: [{ id: 'us-identity', text: 'This is Acme.' }] })).toMatchObject({
      assistantOverrides: { variableValues: { disclosures: 'This is Acme.' } },
    });
  });

  test('has a name of at most 40 characters, from which the call is known', () => {
    const name = vapiNameOf(ID.toUpperCase(), 9_999_999);
    expect(name.length).toBeLessThanOrEqual(40);
    expect(callRequestOf({ name })).toBe(ID);
    for (const other of [undefined, '', 'Follow-up', ID, `${name}x`]) {
      expect(callRequestOf({ name: other })).toBeNull();
    }
  });
});

describe('a description of a call', () => {
  const call = (fields: object) => ({ id: 'call-1', ...fields });

  test.each(['scheduled', 'queued', 'ringing'])('that is %s is in progress, and not answered', (status) => {
    expect(vapiEvent(ID, call({ status }))).toMatchObject({ status: 'in_progress' });
    expect(vapiEvent(ID, call({ status }))).not.toHaveProperty('answeredAt');
  });

  test('that goes on is answered', () => {
    expect(vapiEvent(ID, call({ status: 'in-progress', startedAt: STARTED }))).toMatchObject({
      status: 'in_progress',
      answeredAt: new Date(STARTED),
    });
  });

  test('that has ended has its instants and its duration', () => {
    const ended = { status: 'ended', startedAt: STARTED, endedAt: ENDED };
    expect(vapiEvent(ID, call({ ...ended, endedReason: 'customer-ended-call' }))).toEqual({
      callRequestId: ID,
      carrierCallId: 'call-1',
      status: 'completed',
      at: new Date(ENDED),
      answeredAt: new Date(STARTED),
      durationSeconds: 61,
    });
  });

  test.each([
    ['customer-did-not-answer', 'no_answer', undefined],
    ['customer-busy', 'busy', undefined],
    ['voicemail', 'voicemail', 'voicemail'],
    ['silence-timed-out', 'completed', undefined],
    ['call.in-progress.error-transfer-failed', 'completed', undefined],
    ['pipeline-error-openai-429-exceeded-quota', 'failed', 'pipeline_error_openai_exceeded_quota'],
    [
      'call.in-progress.error-providerfault-outbound-sip-503-service-unavailable',
      'failed',
      'call_in_progress_error_providerfault_outbound_sip_service_unavai',
    ],
    [
      'call.start.error-subscription-concurrency-limit-reached',
      'failed',
      'call_start_error_subscription_concurrency_limit_reached',
    ],
    ['call-screening-detected', 'voicemail', 'call_screening_detected'],
  ])('that ended by %s is %s', (endedReason, status, stored) => {
    const event = vapiEvent(ID, call({ status: 'ended', endedReason }));
    expect([event?.status, event?.reason, event?.unknownWord]).toEqual([status, stored, undefined]);
  });

  test('that ended for a reason of a later version is a failure with that word, and counted', () => {
    const event = vapiEvent(ID, call({ status: 'ended', endedReason: 'Moon +14155550100 eclipse' }));
    expect(event).toMatchObject({ status: 'failed', reason: 'moon_eclipse', unknownWord: true });
  });

  test('without an id, or with a status of something else, says nothing', () => {
    expect(vapiEvent(ID, { status: 'ended' })).toBeNull();
    for (const status of ['not-found', 'deletion-failed', undefined]) {
      expect(vapiEvent(ID, call({ status }))).toBeNull();
    }
  });

  test('has a result', () => {
    const analyzed = call({
      endedReason: 'customer-ended-call',
      analysis: {
        summary: 'They asked not to be called.',
        successEvaluation: 'true',
        structuredData: { do_not_call: true, outcome: 'not interested' },
      },
      artifact: {
        transcript: 'AI: Hello',
        recording: { mono: { combinedUrl: 'https://r.example/1.wav' } },
        structuredOutputs: { 'id-1': { name: 'mood', result: 'bad' } },
      },
    });
    const paths = {
      optOutPath: 'structuredData.do_not_call',
      dispositionPath: 'structuredData.outcome',
    };
    expect(vapiResult(analyzed, paths)).toEqual({
      disposition: 'not interested',
      callbackAt: null,
      optOut: true,
      data: {
        summary: 'They asked not to be called.',
        transcript: 'AI: Hello',
        recordingUrl: 'https://r.example/1.wav',
        analysis: {
          successEvaluation: 'true',
          structuredData: { do_not_call: true, outcome: 'not interested' },
          structuredOutputs: { mood: 'bad' },
        },
      },
    });
    expect(vapiResult(call({ analysis: {}, artifact: {} }), {})).toBeUndefined();
  });

  test('that a screening bot answered says so in its result', () => {
    const screened = call({ endedReason: 'call-screening-detected' });
    expect(vapiResult(screened, {})?.data).toEqual({ answeredBy: 'screening_bot' });
  });
});

test('who answered is in the result beside the rest', () => {
  const result = conversationResult({ answeredBy: 'screening_bot', summary: 'A bot.' }, {});
  expect(result?.data).toEqual({ answeredBy: 'screening_bot', summary: 'A bot.' });
});

test('a reason is read by its beginning if it has no meaning of its own', () => {
  expect(vapiMeaning('pipeline-error-of-tomorrow')?.status).toBe('failed');
  expect(vapiMeaning('customer-ended-call-of-tomorrow')?.status).toBe('completed');
  expect(vapiMeaning('toString')).toBeNull();
});

const refusal = (statusCode: number, message: string | string[]) => ({ message, error: 'x', statusCode });

test.each([
  [
    400,
    refusal(400, ['customer.number must be valid']),
    { kind: 'refused', reason: 'carrier_request_invalid' },
  ],
  [
    400,
    refusal(400, 'Over Concurrency Limit. Check your plan’s call concurrency.'),
    { kind: 'throttled', reason: 'carrier_throttled', retryAfterMs: 10_000 },
  ],
  [
    400,
    refusal(400, 'Wallet Balance is -0.01. Purchase More Credits Or Upgrade Your Plan.'),
    { kind: 'refused', reason: 'carrier_payment_required' },
  ],
  [
    400,
    refusal(400, 'Numbers Bought On Vapi Have A Daily Outbound Call Limit.'),
    { kind: 'refused', reason: 'carrier_number_limit_reached' },
  ],
  [400, refusal(400, 'Couldn’t Find Assistant.'), { kind: 'refused', reason: 'carrier_agent_not_found' }],
  [
    400,
    refusal(400, 'assistantOverrides.property x should not exist'),
    { kind: 'refused', reason: 'carrier_request_invalid' },
  ],
  [401, refusal(401, 'Invalid Key.'), { kind: 'refused', reason: 'carrier_unauthorized' }],
  [402, refusal(402, 'x'), { kind: 'refused', reason: 'carrier_payment_required' }],
  [400, { error: 'of a proxy' }, { kind: 'unknown', reason: 'carrier_http_400' }],
  [500, refusal(500, 'x'), { kind: 'unknown', reason: 'carrier_http_500' }],
  [201, { id: 'two words' }, { kind: 'unknown', reason: 'carrier_unreadable' }],
  // The call was put off by Vapi, and may be placed by it later.
  [
    201,
    { id: 'call-1', status: 'queued', subscriptionLimits: { concurrencyBlocked: true } },
    { kind: 'accepted', carrierCallId: 'call-1' },
  ],
  [
    201,
    { id: 'call-1', status: 'ended', subscriptionLimits: { concurrencyBlocked: true } },
    { kind: 'throttled', reason: 'carrier_throttled', retryAfterMs: 10_000 },
  ],
  [
    201,
    { results: [], errors: [], subscriptionLimits: { concurrencyBlocked: true } },
    { kind: 'throttled', reason: 'carrier_throttled', retryAfterMs: 10_000 },
  ],
  [429, {}, { kind: 'throttled', reason: 'carrier_throttled', retryAfterMs: 10_000 }],
])('the answer %i %j to a dial means %j', (status, value, result) => {
  expect(vapiDialResult({ kind: 'answer', status, headers: {}, value })).toEqual(result);
});

test.each([
  [{}, 'carrierSettings.assistantId is required'],
  [
    { assistantId: 'a', phoneNumberIds: { 415: 'x' } },
    'carrierSettings.phoneNumberIds must be an object of at most 100 ids by numbers in E.164, such as {"+14155550100": "…"}',
  ],
  [
    { assistantId: 'a', maxDurationSeconds: 9 },
    'carrierSettings.maxDurationSeconds must be a whole number from 10 to 43200',
  ],
  [
    { assistantId: 'a', apiKey: 'hush' },
    'carrierSettings has a field that the carrier vapi does not know; it knows assistantId, assistantVersion, phoneNumberIds, maxDurationSeconds, optOutPath, dispositionPath',
  ],
])('of the settings %j it is said: %s', (settings, message) => {
  expect(vapiSettingsProblem(settings)).toBe(message);
});

test('the key is not sent to a control address that is not Vapi’s', async () => {
  const [vapi, other] = [await FakeVapi.start(), await FakeVapi.start()];
  const carrier = new VapiCarrier(vapiOptions(vapi.url));
  try {
    const controlUrl = `${other.url}/call/x/control`;
    const call = { name: 'x', createdAt: STARTED, customer: { number: '+14155550100' } };
    vapi.show({ ...call, id: 'call-1', status: 'in-progress', monitor: { controlUrl } }, VAPI_KEY, {
      url: 'https://calls.example.com',
      headers: {},
    });
    const result = await hangUpBounded(carrier, {
      callRequestId: ID,
      carrierCallId: 'call-1',
      to: '+14155550100',
      answered: true,
      carrierSettings: VAPI_SETTINGS,
    });
    expect(result).toEqual({ kind: 'not_done', reason: 'carrier_no_control_url' });
    expect(other.seen).toEqual([]);
  } finally {
    await carrier.close();
    await vapi.close();
    await other.close();
  }
});

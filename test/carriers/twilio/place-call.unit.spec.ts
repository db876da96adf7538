import { type Socket } from 'node:net';
import { placeCallBounded } from '../../../src/carriers/bounded.js';
import { TwilioCarrier } from '../../../src/carriers/twilio/twilio.carrier.js';
import { TWILIO_REFUSALS } from '../../../src/carriers/twilio/twilio-errors.js';
import { callRequestId, countingServer } from '../support.js';
import {
  ACCOUNT_SID,
  AUTH_TOKEN,
  basic,
  FakeTwilio,
  PUBLIC_URL,
  refuse,
} from '../../../tools/fake-carriers/fake-twilio.js';
import { RELAY, twilioDial, twilioOptions } from './twilio-options.js';

const ID = callRequestId(1);

describe('a dial', () => {
  let twilio: FakeTwilio;
  let carrier: TwilioCarrier;
  beforeEach(async () => {
    twilio = await FakeTwilio.start();
    carrier = new TwilioCarrier(twilioOptions(twilio.url));
  });
  afterEach(async () => {
    await carrier.close();
    await twilio.close();
  });
  const formOf = () => Object.fromEntries(twilio.dials[0]?.form ?? []);

  test('is one POST with all parameters', async () => {
    const result = await placeCallBounded(carrier, twilioDial());
    expect(result).toEqual({ kind: 'accepted', carrierCallId: twilio.calls[0]?.sid });
    expect(twilio.seen).toHaveLength(1);
    const [request] = twilio.dials;
    expect(request?.path).toBe(`/2010-04-01/Accounts/${ACCOUNT_SID}/Calls.json`);
    expect(request?.headers.authorization).toBe(basic(ACCOUNT_SID, AUTH_TOKEN));
    expect(request?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(request?.headers.connection).toBe('close');
    expect(request?.form.getAll('StatusCallbackEvent')).toEqual([
      'initiated',
      'ringing',
      'answered',
      'completed',
    ]);
    expect(formOf()).toEqual({
      To: '+14155550100',
      From: '+14155550199',
      StatusCallback: `${PUBLIC_URL}/api/carriers/twilio/status/${ID}#rc=3&rp=all`,
      StatusCallbackEvent: 'completed',
      StatusCallbackMethod: 'POST',
      TimeLimit: '3600',
      Timeout: '60',
      Twiml: expect.stringContaining('<ConversationRelay url="wss://agent.example.com/relay"') as string,
    });
  });

  test('with an API key authenticates by the key, under the account', async () => {
    const apiKey = { sid: `SK${'1'.repeat(32)}`, secret: 'secret-of-the-key' };
    const withKey = new TwilioCarrier(twilioOptions(twilio.url, { apiKey }));
    const result = await placeCallBounded(withKey, twilioDial());
    expect(result).toEqual({ kind: 'refused', reason: 'carrier_unauthorized' });
    expect(twilio.seen[0]?.headers.authorization).toBe(basic(apiKey.sid, apiKey.secret));
    expect(twilio.seen[0]?.path).toBe(`/2010-04-01/Accounts/${ACCOUNT_SID}/Calls.json`);
  });

  test('limits the duration to what Twilio allows', async () => {
    const patient = new TwilioCarrier(twilioOptions(twilio.url, { timeLimitSeconds: 86_400 }));
    await placeCallBounded(patient, twilioDial());
    expect(formOf().TimeLimit).toBe('14400');
  });

  test('for an agent with its own TwiML sends its URL, with the call’s id', async () => {
    const carrierSettings = {
      twimlUrl: 'https://agent.example.com/twiml?voice=a%26b',
      ringTimeoutSeconds: 25,
    };
    await placeCallBounded(carrier, twilioDial({ carrierSettings }));
    const { Url, Method, Twiml, Timeout } = formOf();
    expect([Twiml, Method, Timeout]).toEqual([undefined, 'POST', '25']);
    expect(Url).toBe(`https://agent.example.com/twiml?voice=a%26b&callRequestId=${ID}`);
  });

  test('detects machines in the background with Enable, and before the agent speaks with DetectMessageEnd', async () => {
    const enable = { ...RELAY, machineDetection: 'Enable' };
    await placeCallBounded(carrier, twilioDial({ carrierSettings: enable }));
    expect(formOf()).toMatchObject({
      MachineDetection: 'Enable',
      AsyncAmd: 'true',
      AsyncAmdStatusCallback: `${PUBLIC_URL}/api/carriers/twilio/amd/${ID}#rc=3&rp=all`,
      StatusCallback: `${PUBLIC_URL}/api/carriers/twilio/status/${ID}?amd=async#rc=3&rp=all`,
    });
    const wait = { ...RELAY, machineDetection: 'DetectMessageEnd' };
    await placeCallBounded(carrier, twilioDial({ carrierSettings: wait }));
    const form = Object.fromEntries(twilio.dials[1]?.form ?? []);
    expect([form.MachineDetection, form.AsyncAmd]).toEqual(['DetectMessageEnd', undefined]);
    expect(form.StatusCallback).not.toContain('amd');
    const off = { ...RELAY, machineDetection: 'off' };
    await placeCallBounded(carrier, twilioDial({ carrierSettings: off }));
    expect(twilio.dials[2]?.form.has('MachineDetection')).toBe(false);
  });

  test('has what the law requires to be said as a parameter, unless a variable has that name', async () => {
    const disclosures = [{ id: 'us-identity', text: 'This is Acme.' }];
    await placeCallBounded(carrier, twilioDial({ disclosures }));
    await placeCallBounded(carrier, twilioDial({ disclosures, variables: { disclosures: 'own' } }));
    await placeCallBounded(carrier, twilioDial());
    const [said, own, nothing] = twilio.dials.map(({ form }) => form.get('Twiml'));
    expect(said).toContain('<Parameter name="disclosures" value="This is Acme."/>');
    expect(own).toContain('<Parameter name="disclosures" value="own"/>');
    expect(nothing).not.toContain('disclosures');
  });

  test('with TwiML that is too long sends the URL of the TwiML', async () => {
    await placeCallBounded(carrier, twilioDial({ prompt: 'x'.repeat(4_000) }));
    const { Url, Method, Twiml } = formOf();
    expect([Url, Method, Twiml]).toEqual([
      `${PUBLIC_URL}/api/carriers/twilio/twiml/${ID}`,
      'POST',
      undefined,
    ]);
  });

  test.each([
    ['no runtime', {}, {}, 'carrier_settings_invalid'],
    ['two runtimes', { ...RELAY, mediaStreamUrl: 'wss://b.example' }, {}, 'carrier_settings_invalid'],
    ['more to say than Twilio reads', RELAY, { prompt: 'x'.repeat(70_000) }, 'carrier_twiml_too_large'],
  ])('with %s is refused without a request', async (_, carrierSettings, more, reason) => {
    const result = await placeCallBounded(carrier, twilioDial({ carrierSettings, ...more }));
    expect(result).toEqual({ kind: 'refused', reason });
    expect(twilio.seen).toEqual([]);
  });

  test.each(Object.entries(TWILIO_REFUSALS))(
    'that Twilio refuses with %s is refused: %s',
    async (code, reason) => {
      twilio.onDial = (_, response) => refuse(response, code === '20003' ? 401 : 400, Number(code));
      expect(await placeCallBounded(carrier, twilioDial())).toEqual({ kind: 'refused', reason });
      expect(twilio.seen).toHaveLength(1);
    },
  );

  test.each([
    [400, 21999, { kind: 'refused', reason: 'twilio_21999' }],
    [401, 70051, { kind: 'refused', reason: 'carrier_unauthorized' }],
    [403, 20003, { kind: 'refused', reason: 'carrier_unauthorized' }],
    [429, 20429, { kind: 'throttled', reason: 'carrier_throttled', retryAfterMs: 1_000 }],
    [400, 10004, { kind: 'throttled', reason: 'carrier_throttled', retryAfterMs: 1_000 }],
    [500, 20500, { kind: 'unknown', reason: 'carrier_http_500' }],
    [503, 20429, { kind: 'unknown', reason: 'carrier_http_503' }],
  ])('answered %i with Twilio’s %i: %j', async (status, code, expected) => {
    twilio.onDial = (_, response) => refuse(response, status, code);
    const result = await placeCallBounded(carrier, twilioDial());
    expect(result).toEqual(expected);
    expect(JSON.stringify(result)).not.toContain('+1415');
    expect(twilio.seen).toHaveLength(1);
  });
});

function http(status: string, body: string, ...headers: string[]): (socket: Socket) => void {
  const head = [`HTTP/1.1 ${status}`, `Content-Length: ${body.length}`, ...headers].join('\r\n');
  return (socket) => socket.write(`${head}\r\n\r\n${body}`);
}

describe('exactly one request is sent for a dial', () => {
  const unknown = (reason: string) => ({ kind: 'unknown', reason });
  test.each([
    ['a reset', (s: Socket) => s.resetAndDestroy(), unknown('carrier_reset')],
    ['a close without an answer', (s: Socket) => s.destroy(), unknown('carrier_reset')],
    ['a hang', () => undefined, unknown('carrier_timeout')],
    ['a 500', http('500 Oops', '{}'), unknown('carrier_http_500')],
    ['a 502 of a proxy', http('502 Bad', '<html>'), unknown('carrier_http_502')],
    [
      'a 503 that wants to be asked again',
      http('503 Busy', '', 'Retry-After: 0'),
      unknown('carrier_http_503'),
    ],
    ['a redirect', http('307 Away', '', 'Location: /again'), unknown('carrier_http_307')],
    ['a 404 of a proxy', http('404 Gone', '{"error":"x"}'), unknown('carrier_http_404')],
    [
      'a 400 that repeats another status',
      http('400 No', '{"code":21211,"status":404}'),
      unknown('carrier_http_400'),
    ],
    [
      'half an answer',
      (s: Socket) => s.end('HTTP/1.1 201 Made\r\nContent-Length: 99\r\n\r\n{"si'),
      unknown('carrier_broken_answer'),
    ],
    ['an acceptance without an id', http('201 Made', '{"status":"queued"}'), unknown('carrier_unreadable')],
    ['an acceptance that is no JSON', http('201 Made', 'yes'), unknown('carrier_http_201')],
    ['something else than HTTP', (s: Socket) => s.end('SSH-2.0\r\n\r\n'), unknown('carrier_broken_answer')],
    ['a 429', http('429 Many', ''), { kind: 'throttled', reason: 'carrier_throttled', retryAfterMs: 1_000 }],
    [
      'a 429 with its time',
      http('429 Many', '{}', 'Retry-After: 7'),
      { kind: 'throttled', reason: 'carrier_throttled', retryAfterMs: 7_000 },
    ],
  ])('on %s', async (_name, respond, expected) => {
    const server = await countingServer(respond);
    const timeoutMs = JSON.stringify(expected).includes('timeout') ? 2_000 : 20_000;
    const carrier = new TwilioCarrier(twilioOptions(server.url, { timeoutMs }));
    try {
      expect(await placeCallBounded(carrier, twilioDial())).toEqual(expected);
      expect(server.seen).toEqual({ connections: 1, requests: 1 });
    } finally {
      await carrier.close();
      await server.close();
    }
  });

  test('or none, when no server listens', async () => {
    const server = await countingServer(() => undefined);
    await server.close();
    const carrier = new TwilioCarrier(twilioOptions(server.url));
    expect(await placeCallBounded(carrier, twilioDial())).toEqual({
      kind: 'unreachable',
      reason: 'carrier_unreachable',
    });
  });

  test('or none, if it was aborted before', async () => {
    const server = await countingServer(() => undefined);
    const carrier = new TwilioCarrier(twilioOptions(server.url));
    const result = await carrier.placeCall(twilioDial(), AbortSignal.abort());
    expect(result).toEqual({ kind: 'unreachable', reason: 'carrier_timeout' });
    expect(server.seen.requests).toBe(0);
    await server.close();
  });
});

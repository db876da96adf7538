import { findCallBounded, placeCallBounded } from '../../../src/carriers/bounded.js';
import { TwilioCarrier } from '../../../src/carriers/twilio/twilio.carrier.js';
import { whereDescribed } from '../descriptions.js';
import { PrismApi } from '../prism-api.js';
import { aQuery } from '../support.js';
import { RELAY, twilioDial, twilioOptions } from './twilio-options.js';

// Twilio's own description of its API, which Prism holds our requests against.
const { path, describeWhereKnown } = whereDescribed('twilio-calls.openapi.json');

const CREATE = '/2010-04-01/Accounts/{AccountSid}/Calls.json';

interface Document {
  paths: Record<typeof CREATE, { post: { requestBody: { content: Record<string, { encoding?: object }> } } }>;
}

/** OpenAPI's default for lists in forms, in so many words: Prism reads no repeated key without them. */
function withRepeatedKeys({ paths }: Document): void {
  const form = paths[CREATE].post.requestBody.content['application/x-www-form-urlencoded'];
  if (form) form.encoding = { StatusCallbackEvent: { style: 'form', explode: true } };
}

describeWhereKnown('by Twilio’s own OpenAPI document', () => {
  let twilio: PrismApi;
  let carrier: TwilioCarrier;
  beforeEach(async () => {
    const refusal = { code: 20001, message: 'not as documented' };
    twilio = await PrismApi.start(path, refusal, withRepeatedKeys);
    carrier = new TwilioCarrier(twilioOptions(twilio.url));
  });
  afterEach(() => twilio.close());
  const faultless = (status: number) => ({ status, violations: [] });

  test.each([
    ['a relay', RELAY],
    ['a media stream', { mediaStreamUrl: 'wss://agent.example.com/media' }],
    ['the agent’s own TwiML', { twimlUrl: 'https://agent.example.com/twiml', ringTimeoutSeconds: 30 }],
    ['detection in the background', { ...RELAY, machineDetection: 'Enable' }],
    ['detection until the beep', { ...RELAY, machineDetection: 'DetectMessageEnd' }],
  ])('a dial with %s is valid', async (_, carrierSettings) => {
    const variables = { name: 'Zoë & <Söhne>', order: 7 };
    // Prism makes up an answer, which has no id of a call: the request is what matters here.
    const result = await placeCallBounded(carrier, twilioDial({ carrierSettings, variables }));
    expect(twilio.seen).toEqual([faultless(201)]);
    expect(['accepted', 'unknown']).toContain(result.kind);
  });

  test('a dial with a URL of TwiML is valid', async () => {
    await placeCallBounded(carrier, twilioDial({ prompt: 'x'.repeat(5_000) }));
    expect(twilio.seen).toEqual([faultless(201)]);
  });

  test('look-ups by numbers and by id are valid', async () => {
    await findCallBounded(carrier, aQuery());
    await findCallBounded(carrier, { ...aQuery(), carrierCallId: `CA${'0'.repeat(32)}` });
    expect(twilio.seen).toEqual([faultless(200), faultless(200)]);
  });

  test('an invalid request is detected', async () => {
    const post = (form: Record<string, string>, headers: Record<string, string>) =>
      fetch(`${twilio.url}/2010-04-01/Accounts/AC${'0'.repeat(32)}/Calls.json`, {
        method: 'POST',
        headers,
        body: new URLSearchParams(form),
      });
    const authorization = 'Basic eDp5';
    expect((await post({ To: '+14155550100' }, { authorization })).status).toBe(422);
    expect((await post({ To: '+1', From: '+2', TimeLimit: 'long' }, { authorization })).status).toBe(422);
    expect((await post({ To: '+1', From: '+2' }, {})).status).toBe(401);
  });
});

import { findCallBounded, placeCallBounded } from '../../../src/carriers/bounded.js';
import { ElevenLabsCarrier } from '../../../src/carriers/elevenlabs/elevenlabs.carrier.js';
import { whereDescribed } from '../descriptions.js';
import { PrismApi } from '../prism-api.js';
import { aDial, aQuery } from '../support.js';
import { ELEVENLABS_SETTINGS, elevenLabsOptions } from './elevenlabs-options.js';

// ElevenLabs' own description of its API, which Prism holds our requests against.
const { path, describeWhereKnown } = whereDescribed('elevenlabs-calls.openapi.json');

describeWhereKnown('by ElevenLabs’ own OpenAPI document', () => {
  const settings = { ...ELEVENLABS_SETTINGS, phoneNumberIds: { [aDial().from]: 'phnum_1' } };
  let elevenLabs: PrismApi;
  let carrier: ElevenLabsCarrier;
  beforeEach(async () => {
    elevenLabs = await PrismApi.start(path, { detail: 'not as documented' });
    carrier = new ElevenLabsCarrier(elevenLabsOptions(elevenLabs.url));
  });
  afterEach(async () => {
    await carrier.close();
    await elevenLabs.close();
  });
  const faultless = (status: number) => ({ status, violations: [] });

  test.each([
    ['by Twilio', settings],
    ['by a SIP trunk', { ...settings, telephony: 'sip_trunk' }],
    ['with texts of Outdial', { ...settings, overrideFirstMessage: true, overridePrompt: true }],
  ])('a dial %s is valid, and its answer is read', async (_, carrierSettings) => {
    const variables = { name: 'Zoë & <Söhne>', order: 7, items: ['a', { b: null }] };
    const result = await placeCallBounded(carrier, { ...aDial(), carrierSettings, variables });
    expect(elevenLabs.seen).toEqual([faultless(200)]);
    expect(result.kind).toBe('accepted');
  });

  test('look-ups by agent and time, and by id, are valid', async () => {
    const query = { ...aQuery(), carrierSettings: settings };
    await findCallBounded(carrier, query);
    const found = await findCallBounded(carrier, { ...query, carrierCallId: 'conv_1' });
    // The list, the conversation of its example, and the conversation of the id.
    expect(elevenLabs.seen).toEqual([faultless(200), faultless(200), faultless(200)]);
    expect(found.kind).toBe('found');
  });

  test('an invalid request is detected', async () => {
    const answer = await fetch(`${elevenLabs.url}/v1/convai/twilio/outbound-call`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ to_number: '+14155550100' }),
    });
    expect(answer.status).toBe(422);
  });
});

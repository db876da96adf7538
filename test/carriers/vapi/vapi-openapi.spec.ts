import { readFileSync } from 'node:fs';
import { findCallBounded, placeCallBounded } from '../../../src/carriers/bounded.js';
import { vapiMeaning } from '../../../src/carriers/vapi/vapi-outcomes.js';
import { VapiCarrier } from '../../../src/carriers/vapi/vapi.carrier.js';
import { whereDescribed } from '../descriptions.js';
import { PrismApi } from '../prism-api.js';
import { aDial, aQuery } from '../support.js';
import { VAPI_SETTINGS, vapiOptions } from './vapi-options.js';

// Vapi's own description of its API, which Prism holds our requests against.
const { path, describeWhereKnown } = whereDescribed('vapi-calls.openapi.json');

interface Schema {
  properties: Record<string, { enum?: unknown[] }>;
  additionalProperties?: boolean;
}

/** Fields that the document does not know are refused, as Vapi does. */
function withoutOthers({ components }: { components: { schemas: Record<string, Schema> } }): void {
  for (const name of ['CreateCallDTO', 'AssistantOverrides', 'Server', 'CreateCustomerDTO']) {
    const schema = components.schemas[name];
    if (schema === undefined) throw new Error(`no ${name}`);
    schema.additionalProperties = false;
  }
  // The document lists the values of the items for the array itself, too, where no array is allowed then.
  delete components.schemas.AssistantOverrides?.properties.serverMessages?.enum;
}

describeWhereKnown('by Vapi’s own OpenAPI document', () => {
  const from = aDial().from;
  const settings = { ...VAPI_SETTINGS, phoneNumberIds: { [from]: 'number-1' } };
  let vapi: PrismApi;
  let carrier: VapiCarrier;
  beforeEach(async () => {
    vapi = await PrismApi.start(path, { message: 'not as documented', statusCode: 400 }, withoutOthers);
    carrier = new VapiCarrier(vapiOptions(vapi.url));
  });
  afterEach(async () => {
    await carrier.close();
    await vapi.close();
  });
  const faultless = (status: number) => ({ status, violations: [] });

  test.each([
    ['an assistant', settings],
    ['a version of an assistant', { ...settings, assistantVersion: 'v3' }],
    ['a longest duration', { ...settings, maxDurationSeconds: 300 }],
  ])('a dial with %s is valid, and its answer is read', async (_, carrierSettings) => {
    const variables = { name: 'Zoë & <Söhne>', order: 7, items: ['a', { b: null }] };
    const result = await placeCallBounded(carrier, { ...aDial(), carrierSettings, variables });
    expect(vapi.seen).toEqual([faultless(201)]);
    expect(result.kind).toBe('accepted');
  });

  test('look-ups by time and by id are valid', async () => {
    const query = { ...aQuery(), carrierSettings: settings };
    expect((await findCallBounded(carrier, query)).kind).toBe('not_found');
    const carrierCallId = '7420f27a-30fd-4f49-a995-5549ae7cc00d';
    await findCallBounded(carrier, { ...query, carrierCallId });
    expect(vapi.seen).toEqual([faultless(200), faultless(200)]);
  });

  test('an invalid request is detected', async () => {
    const post = (body: object, headers: Record<string, string>) =>
      fetch(`${vapi.url}/call`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    const authorization = 'Bearer key';
    expect((await post({ name: 'x'.repeat(41) }, { authorization })).status).toBe(400);
    expect((await post({ phoneNumber: '+14155550100' }, { authorization })).status).toBe(400);
    expect((await post({ name: 'x' }, {})).status).toBe(401);
  });

  test('every reason for the end of a call has a meaning', () => {
    const document = JSON.parse(readFileSync(path, 'utf8')) as {
      components: { schemas: { Call: { properties: { endedReason: { enum: string[] } } } } };
    };
    const { enum: reasons } = document.components.schemas.Call.properties.endedReason;
    expect(reasons.length).toBeGreaterThan(600);
    expect(reasons.filter((reason) => vapiMeaning(reason) === null)).toEqual([]);
  });
});

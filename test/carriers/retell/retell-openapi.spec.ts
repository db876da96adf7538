import { readFileSync } from 'node:fs';
import { findCallBounded, placeCallBounded } from '../../../src/carriers/bounded.js';
import { RETELL_REASONS } from '../../../src/carriers/retell/retell-outcomes.js';
import { RetellCarrier } from '../../../src/carriers/retell/retell.carrier.js';
import { whereDescribed } from '../descriptions.js';
import { PrismApi } from '../prism-api.js';
import { aDial, aQuery } from '../support.js';
import { RETELL_SETTINGS, retellOptions } from './retell-options.js';

// Retell's own description of its API, which Prism holds our requests against.
const { path, describeWhereKnown } = whereDescribed('retell-calls.openapi.json');

interface Document {
  paths: Record<
    '/v2/create-phone-call',
    {
      post: {
        requestBody: {
          content: Record<'application/json', { schema: { properties: Record<string, object> } }>;
        };
      };
    }
  >;
  components: { schemas: Record<'AgentRequest', { properties: Record<string, object> }> };
}

/** Prism cannot compile the whole schema of an agent. Of it, only the three fields that Outdial sends are kept. */
function onlyWhatIsSent({ paths, components }: Document): void {
  const { webhook_url, webhook_events, ring_duration_ms } = components.schemas.AgentRequest.properties;
  const { schema } = paths['/v2/create-phone-call'].post.requestBody.content['application/json'];
  schema.properties.agent_override = {
    type: 'object',
    additionalProperties: false,
    properties: {
      agent: {
        type: 'object',
        additionalProperties: false,
        properties: { webhook_url, webhook_events, ring_duration_ms },
      },
    },
  };
}

describeWhereKnown('by Retell’s own OpenAPI document', () => {
  let retell: PrismApi;
  let carrier: RetellCarrier;
  beforeEach(async () => {
    retell = await PrismApi.start(path, { status: 'error', message: 'not as documented' }, onlyWhatIsSent);
    carrier = new RetellCarrier(retellOptions(retell.url));
  });
  afterEach(async () => {
    await carrier.close();
    await retell.close();
  });
  const faultless = (status: number) => ({ status, violations: [] });

  test.each([
    ['an agent', RETELL_SETTINGS],
    ['a version of an agent', { ...RETELL_SETTINGS, agentVersion: 3 }],
    ['a ring timeout', { ...RETELL_SETTINGS, ringTimeoutSeconds: 45 }],
  ])('a dial with %s is valid, and its answer is read', async (_, carrierSettings) => {
    const variables = { name: 'Zoë & <Söhne>', order: 7, items: ['a', { b: null }] };
    const result = await placeCallBounded(carrier, { ...aDial(), carrierSettings, variables });
    expect(retell.seen).toEqual([faultless(201)]);
    expect(result.kind).toBe('accepted');
  });

  test('look-ups by numbers and by id are valid', async () => {
    await findCallBounded(carrier, aQuery());
    const found = await findCallBounded(carrier, {
      ...aQuery(),
      carrierCallId: 'Jabr9TXYYJHfvl6Syypi88rdAHYHmcq6',
    });
    expect(retell.seen).toEqual([faultless(200), faultless(200)]);
    expect(found.kind).toBe('found');
  });

  test('an invalid request is detected', async () => {
    const post = (body: object, headers: Record<string, string>) =>
      fetch(`${retell.url}/v2/create-phone-call`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    const authorization = 'Bearer key';
    expect((await post({ to_number: '+14155550100' }, { authorization })).status).toBe(422);
    expect((await post({ from_number: '+14155550100', to_number: '+14155550101' }, {})).status).toBe(401);
  });

  test('every reason for the end of a call has a meaning of its own', () => {
    const document = JSON.parse(readFileSync(path, 'utf8')) as {
      components: { schemas: { DisconnectionReason: { enum: string[] } } };
    };
    const { enum: reasons } = document.components.schemas.DisconnectionReason;
    expect(reasons.length).toBeGreaterThan(25);
    expect(reasons.filter((reason) => !Object.hasOwn(RETELL_REASONS, reason))).toEqual([]);
  });
});

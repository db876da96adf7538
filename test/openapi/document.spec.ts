import { type NestExpressApplication } from '@nestjs/platform-express';
import supertest from 'supertest';
import { KNOWN_KEYS as ENROLL_KEYS } from '../../src/campaigns/enrollment/enroll-request.js';
import { KNOWN_KEYS as CALL_KEYS } from '../../src/calls/trigger/request.js';
import { REFUSALS } from '../../src/calls/trigger/refusals.js';
import { CONTRACT_KEYS as CONTACT_KEYS } from '../../src/contacts/contact-request.js';
import { type OpenApiDocument } from '../../src/http/openapi/document.js';
import { createWorld, type World } from '../support/app.js';
import { Conformance, escaped } from './conformance.js';
import { routesOfApp } from './routes-of-app.js';

const EXAMPLE_ID = '0b0f7a0e-6f0a-4a5e-9d2c-1f6a3f0f5b11';

let world: World;
let app: NestExpressApplication;
let document: OpenApiDocument;

beforeAll(async () => {
  world = await createWorld();
  app = await world.startApi();
  const response = await supertest(app.getHttpServer()).get('/docs/openapi.json').expect(200);
  document = response.body as OpenApiDocument;
});
afterAll(() => world.close());

test('exactly the routes of the API are documented', () => {
  const documentedRoutes = new Conformance(document).operations.map(
    ({ method, path }) => `${method} ${path}`,
  );
  expect(documentedRoutes.sort()).toEqual(routesOfApp(app).sort());
});

test('is OpenAPI 3.1.0, with unique names and tags that exist', () => {
  expect(document.openapi).toBe('3.1.0');
  const operations = new Conformance(document).operations.map(({ operation }) => operation);
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const tags = document.tags.map(({ name }) => name);
  expect(operations.flatMap((operation) => operation.tags).filter((tag) => !tags.includes(tag))).toEqual([]);
});

test('customer operations are separate from those of the operator and of carriers', () => {
  const [customers, operator, others] = document['x-tagGroups'];
  const tags = document['x-tagGroups'].flatMap((group) => group.tags);
  expect(tags).toEqual(document.tags.map(({ name }) => name));
  for (const { operation } of new Conformance(document).operations) {
    const [tag = ''] = operation.tags;
    const credentials = operation.security.flatMap(Object.keys);
    const group = [customers, operator, others].find((candidate) => candidate?.tags.includes(tag));
    const expected = credentials.includes('teamKey')
      ? customers
      : credentials.includes('operatorToken')
        ? operator
        : others;
    expect([operation.operationId, group?.name]).toEqual([operation.operationId, expected?.name]);
  }
});

test('without a public address, the server is the document’s own host', () => {
  expect(document.servers).toEqual([{ url: '/', description: 'The host of this document.' }]);
});

test.each([null, ''])('%j is allowed in every optional field of the contract’s four bodies', (absent) => {
  const conformance = new Conformance(document);
  const required = { phoneNumber: '+14155552671', contactId: EXAMPLE_ID, campaignId: EXAMPLE_ID };
  const bodies = {
    triggerCall: [CALL_KEYS, ['phoneNumber']],
    createContact: [CONTACT_KEYS, ['phoneNumber']],
    createContactAndEnroll: [CONTACT_KEYS, ['phoneNumber']],
    enrollContact: [ENROLL_KEYS, ['contactId', 'campaignId']],
  } as const;
  for (const [operationId, [keys, needed]] of Object.entries(bodies)) {
    const known = conformance.operations.find(({ operation }) => operation.operationId === operationId);
    if (known === undefined) throw new Error(`no operation ${operationId}`);
    const empty = Object.fromEntries([...keys].map((key) => [key, absent as unknown]));
    const body = { ...empty, ...Object.fromEntries(needed.map((key) => [key, required[key]])) };
    expect([operationId, conformance.acceptsBody(known, body)]).toEqual([operationId, true]);
    for (const key of needed) {
      const without = { ...body, [key]: absent };
      expect([key, conformance.acceptsBody(known, without)]).toEqual([key, false]);
    }
  }
});

test('each example is valid for its schema', () => {
  const conformance = new Conformance(document);
  let count = 0;
  for (const { path, method, operation } of conformance.operations) {
    const responses = Object.entries(operation.responses).map(
      ([status, response]) => [['responses', status], response.content ?? {}] as const,
    );
    const all = [...responses, [['requestBody'], operation.requestBody?.content ?? {}] as const];
    for (const [steps, content] of all) {
      for (const [type, { examples = {} }] of Object.entries(content)) {
        const pointer = ['paths', path, method, ...steps, 'content', type, 'schema'].map(escaped);
        for (const { value } of Object.values(examples)) {
          count += 1;
          expect([pointer, value, conformance.accepts(`/${pointer.join('/')}`, value)]).toEqual([
            pointer,
            value,
            true,
          ]);
        }
      }
    }
  }
  expect(count).toBeGreaterThan(100);
});

test('the bodies of the contract name exactly the keys that the code reads', () => {
  const keysOf = (name: string) => Object.keys(document.components.schemas[name]?.properties ?? {}).sort();
  expect(keysOf('TriggerCall')).toEqual([...CALL_KEYS].sort());
  expect(keysOf('ContactFields')).toEqual([...CONTACT_KEYS].sort());
  expect(keysOf('EnrollFields')).toEqual(['campaignId', 'contactId', 'source', 'teamId', 'version']);
});

test('every reason of the call endpoint is listed under its status, with an example', () => {
  const responses = document.paths['/api/voice-agents/{agentId}/calls']?.post?.responses ?? {};
  for (const [reason, { status, message }] of Object.entries(REFUSALS)) {
    const examples = responses[status]?.content?.['application/json']?.examples;
    expect(examples?.[reason]?.value).toMatchObject({ reason, message });
    const schema = document.components.schemas[`CallRefusal${status}`];
    expect(schema?.properties?.reason?.enum).toContain(reason);
  }
});

test('the pages have a policy of their own, come compressed, and an unknown guide or pack is 404', async () => {
  const http = supertest(app.getHttpServer());
  for (const path of ['/docs', '/docs/guides/webhooks', '/docs/packs', '/docs/packs/us-fl']) {
    const { headers, text } = await http.get(path).set('Accept-Encoding', 'gzip').expect(200);
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' });
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    const plain = await http.get(path).set('Accept-Encoding', 'identity').expect(200);
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(plain.text).toBe(text);
    for (const [, url = ''] of text.matchAll(/(?:src|href)="(\/docs\/assets\/[^"]+)"/g)) {
      const asset = await http.get(url).expect(200);
      expect(asset.headers['content-type']).toMatch(/^text\/(?:css|javascript); charset=utf-8$/);
      expect(asset.headers['cache-control']).toContain('max-age=');
    }
  }
  await http.get('/docs/search.json').expect(200).expect('Content-Type', 'application/json; charset=utf-8');
  await http.get('/docs/guides/none').expect(404, { error: 'Guide not found' });
  await http.get('/docs/packs/none').expect(404, { error: 'Pack not found' });
});

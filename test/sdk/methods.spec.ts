import { type Operation } from '../../src/http/openapi/document.js';
import { apiDocument } from '../../src/openapi/api-document.js';
import { CLIENT_METHODS } from '../../src/openapi/client-methods.js';
import { answers, PlayedApi } from './played-api.js';

/* Every customer operation of the API's document has a method, which sends what the document says. */

const ID = '0b0f7a0e-6f0a-4a5e-9d2c-1f6a3f0f5b11';
const FILE = 'phoneNumber\n';

const operations = Object.entries(apiDocument().paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([, { security }]) => security.some((way) => 'teamKey' in way))
    .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

const api = PlayedApi.ofFile();

type Methods = Record<string, Record<string, (...args: unknown[]) => unknown>>;

/** The method of an operation, called with what it needs at least. */
async function call({ operationId }: Operation, path: string): Promise<void> {
  const name = CLIENT_METHODS[operationId];
  if (name === undefined) throw new Error(`${operationId} is not in src/openapi/client-methods.ts`);
  const [resource = '', method = ''] = name.split('.');
  const ids = [...path.matchAll(/{\w+}/g)].map(() => ID);
  const body = operationId === 'createImport' ? FILE : {};
  const owner = (api.client() as unknown as Methods)[resource];
  const answer = owner?.[method]?.(...ids, body);
  if (answer instanceof Promise) await answer;
  else await (answer as AsyncIterable<unknown>)[Symbol.asyncIterator]().next();
}

test.each(operations)(
  '$operation.operationId: the client sends $method $path',
  async ({ method, path, operation }) => {
    api.play(answers(200, { items: [], nextCursor: null, nextAfter: 0 }));
    await call(operation, path);
    const [request] = api.requests;
    expect(api.requests).toHaveLength(1);
    expect(request?.method).toBe(method);
    expect(request?.path.split('?')[0]).toBe(path.replace(/{\w+}/g, ID));
    expect(request?.headers.authorization).toBe('Bearer od_live_key');
    const isKeyed = operation.parameters?.some(({ name }) => name === 'Idempotency-Key') ?? false;
    expect(request?.headers['idempotency-key'] !== undefined).toBe(isKeyed);
    const types = Object.keys(operation.requestBody?.content ?? {});
    if (types.length > 0) expect(types).toContain(request?.headers['content-type']);
    else expect(request?.body).toBe('');
  },
);

test('the table names operations of the document alone, and each method once', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(Object.keys(CLIENT_METHODS).sort()).toEqual(ids.sort());
  expect(new Set(Object.values(CLIENT_METHODS)).size).toBe(ids.length);
});

test('every method of the client is in the table, or the second form of one that is', () => {
  const methods = Object.entries(api.client()).flatMap(([resource, owner]) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(owner))
      .filter((name) => name !== 'constructor')
      .map((name) => `${resource}.${name}`),
  );
  const known = [
    ...Object.values(CLIENT_METHODS),
    'calls.exportCsv',
    'campaigns.resultsCsv',
    'contacts.exportCsv',
    'imports.failedRowsCsv',
    'imports.dryRun',
  ];
  expect(methods.sort()).toEqual(known.sort());
});

test('parameters of the path are encoded, and never lead to another route', async () => {
  const { doNotCall, contacts } = api.client();
  api.play(answers(204));
  await doNotCall.remove('+14155550142');
  expect(api.requests[0]?.path).toBe('/api/do-not-call/%2B14155550142');
  for (const id of ['', '.', '..'])
    await expect(contacts.erase(id)).rejects.toThrow(/contactId must be an id/);
  await contacts.get('a/b?c');
  expect(api.requests.map(({ path }) => path).slice(1)).toEqual(['/api/contacts/a%2Fb%3Fc']);
});

test('the external id of a contact is an option of the contract’s endpoints, and a part of the path elsewhere', async () => {
  const { contacts } = api.client();
  const body = { phoneNumber: '+14155550142' };
  api.play(answers(200, {}));
  await contacts.create(body, { externalId: 'crm 4711' });
  await contacts.upsert(body, { externalId: 'crm 4711', headers: { 'X-Request-Id': 'mine' } });
  await contacts.upsert(body);
  await contacts.updateByExternalId('crm/47 11', { name: 'Ada' });
  expect(api.requests.map(({ headers }) => headers['external-id'])).toEqual([
    'crm 4711',
    'crm 4711',
    undefined,
    undefined,
  ]);
  expect(api.requests[1]?.headers['x-request-id']).toBe('mine');
  expect(api.requests[3]?.path).toBe('/api/contacts/by-external-id/crm%2F47%2011');
});

test('the base URL may have a path and a slash at its end; other headers may be added', async () => {
  const client = api.client({ baseUrl: `${api.url}/outdial/` });
  api.play(answers(200, {}));
  await client.key.get({ headers: { 'X-Request-Id': 'mine', Authorization: 'Bearer other' } });
  expect(api.requests[0]).toMatchObject({
    path: '/outdial/api/me',
    headers: { 'x-request-id': 'mine', authorization: 'Bearer od_live_key' },
  });
  expect(api.requests[0]?.headers['user-agent']).toMatch(/^outdial-client\/\d/);
});

test('a client without a key or an address is refused', () => {
  expect(() => api.client({ apiKey: undefined })).toThrow(/apiKey/);
  expect(() => api.client({ apiKey: '' })).toThrow(/apiKey/);
  for (const baseUrl of [undefined, '', 'outdial.example.com', 'ftp://example.com'])
    expect(() => api.client({ baseUrl })).toThrow();
});

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { apiDocument } from '../../src/openapi/api-document.js';
import { DOCS_OPENAPI } from '../../src/openapi/docs.openapi.js';
import { TypeChecker } from '../support/type-check.js';
import { Conformance } from './conformance.js';
import { documentedRequests } from './documented-requests.js';

// What an integrator does: npx openapi-typescript …/docs/openapi.json -o client.ts

const directory = mkdtempSync(join(tmpdir(), 'outdial-client-'));
const conformance = new Conformance(apiDocument(DOCS_OPENAPI));

beforeAll(async () => {
  const file = join(directory, 'openapi.json');
  writeFileSync(file, JSON.stringify(conformance.document));
  const cli = join(dirname(require.resolve('openapi-typescript/package.json')), 'bin/cli.js');
  await promisify(execFile)(process.execPath, [cli, file, '-o', join(directory, 'client.ts')]);
});
afterAll(() => rmSync(directory, { recursive: true }));

/** What the compiler says of a source beside the client. */
const checker = new TypeChecker(directory);
const faultsOf = (source: string) =>
  checker.faultsOf(`import type { components, paths } from './client.js';\n${source}`);

const bodyType = (path: string, method: string) =>
  `NonNullable<paths['${path}']['${method}']['requestBody']>['content']['application/json']`;

test('a client generated from the document accepts its requests', () => {
  const requests = documentedRequests();
  const constants = requests.map(({ method, path, body }, index) => {
    const known = conformance.find(method, path.split('?')[0] ?? '');
    if (known === undefined)
      throw new Error(`the documents ask for ${method} ${path}, which is not documented`);
    if (body === undefined)
      return `export type Answer${index} = paths['${known.path}']['${known.method}']['responses'];`;
    expect([path, conformance.acceptsBody(known, body)]).toEqual([path, true]);
    return `export const body${index}: ${bodyType(known.path, known.method)} = ${JSON.stringify(body)};`;
  });
  expect(faultsOf(constants.join('\n'))).toEqual([]);
  const shown = new Set(
    requests.map(({ method, path }) => conformance.find(method, path.split('?')[0] ?? '')?.path),
  );
  for (const path of [
    'voice-agents/{agentId}/calls',
    'contacts',
    'campaigns/enrollments',
    'campaigns/contact-enrollments',
  ])
    expect([...shown]).toContain(`/api/${path}`);
});

test('the client distinguishes the answers, and refuses what the API refuses', () => {
  const call = `paths['/api/voice-agents/{agentId}/calls']['post']`;
  expect(
    faultsOf(
      `type Answers = ${call}['responses'];
       type Refusal = Answers[500]['content']['application/json'];
       export const reason = (refusal: Refusal): 'DO_NOT_CALL' | 'RECENTLY_CALLED' | string => refusal.reason;
       export const runsAt = (accepted: Answers[200]['content']['application/json']): string | undefined =>
         accepted.rescheduled ? accepted.runsAt : undefined;
       export const status = (call: components['schemas']['Call']): string => call.status;`,
    ),
  ).toEqual([]);
  const wrong = [
    `export const body: ${bodyType('/api/voice-agents/{agentId}/calls', 'post')} = { fullName: 'Ada' };`,
    `export const body: ${bodyType('/api/contacts', 'post')} = { phoneNumber: 14155552671 };`,
    `export const body: ${bodyType('/api/campaigns/enrollments', 'post')} = { contactId: 'x' };`,
    `export type Answer = ${call}['responses'][201];`,
  ];
  for (const source of wrong) expect([source, faultsOf(source)]).not.toEqual([source, []]);
});

test('the generated file contains every operation', () => {
  const client = readFileSync(join(directory, 'client.ts'), 'utf8');
  for (const { operation } of conformance.operations) expect(client).toContain(`${operation.operationId}: {`);
});

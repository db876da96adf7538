import 'reflect-metadata';
import { CALLS_ADMIN_OPENAPI, CALLS_OPENAPI } from '../../src/calls/records/calls.openapi.js';
import { TRIGGER_OPENAPI } from '../../src/calls/trigger/trigger.openapi.js';
import { CONTACTS_OPENAPI } from '../../src/contacts/contacts.openapi.js';
import { buildDocument } from '../../src/http/openapi/document.js';
import { Conformance } from '../openapi/conformance.js';
import { type FuzzRequest } from './fuzz-request.js';
import { FOREIGN_MARK, FOREIGN_NUMBERS, checkAnswer } from './check-answer.js';
import { type Outcome } from './wire.js';

// The fuzzer finds only what checkAnswer objects to.

const conformance = new Conformance(
  buildDocument([TRIGGER_OPENAPI, CALLS_OPENAPI, CALLS_ADMIN_OPENAPI, CONTACTS_OPENAPI], {
    info: { title: 'Outdial', version: '1', description: '' },
    servers: [],
    tags: [],
    'x-tagGroups': [],
  }),
);

const request = (over: Partial<FuzzRequest> = {}): FuzzRequest => ({
  method: 'POST',
  target: '/api/voice-agents/x/calls',
  headers: [['Authorization', 'Bearer <teamKey>']],
  body: { text: '{"phoneNumber":"+14155552671"}', bytes: false, packing: 'plain' },
  framing: 'length',
  behind: '',
  ...over,
});

const answered = (status: number, body: object | string, ms = 5): Outcome => ({
  kind: 'answer',
  ms,
  answer: {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'x', 'retry-after': '1' },
    text: typeof body === 'string' ? body : JSON.stringify(status < 400 ? body : asError(status, body)),
  },
});

/** With what every error answer has. */
const asError = (status: number, body: object) => ({
  ...body,
  requestId: 'x',
  ...(status === 400 && { errors: [{ path: '', message: 'x' }] }),
});

const faultOf = (outcome: Outcome, over: Partial<FuzzRequest> = {}) =>
  checkAnswer(request(over), {}, outcome, conformance);

const ID = '0b0f7a0e-6f0a-4a5e-9d2c-1f6a3f0f5b11';
const contacts = { target: '/api/contacts' };
const calls = { method: 'GET', target: `/api/calls/${ID}`, body: null };

test.each<[string, Outcome, Partial<FuzzRequest>]>([
  ['an accepted call', answered(200, { success: true, callRequestId: ID, contactId: ID }), {}],
  ['a refusal', answered(400, { message: 'x', reason: 'INVALID_REQUEST', retryable: false }), {}],
  [
    'a named 500',
    answered(500, { success: false, message: 'x', reason: 'DO_NOT_CALL', retryable: false }),
    {},
  ],
  ['a duplicate', answered(400, { error: 'Contact existed', contactId: ID }), contacts],
  ['no route', answered(404, { error: 'Not found' }), { target: '/nowhere' }],
  ['Node’s own refusal of broken HTTP', answered(400, ''), { framing: 'no number' }],
  ['a connection that broken HTTP has cost', { kind: 'closed' }, { framing: 'twice' }],
])('%s is fine', (_, outcome, over) => {
  expect(faultOf(outcome, over)).toBeNull();
});

test.each<[string, Outcome, Partial<FuzzRequest>]>([
  ['silence', { kind: 'silent' }, {}],
  ['a connection that is closed for nothing', { kind: 'closed' }, {}],
  ['a late answer', answered(200, { success: true, callRequestId: ID, contactId: ID }, 10_500), {}],
  ['INTERNAL', answered(500, { success: false, message: 'x', reason: 'INTERNAL', retryable: false }), {}],
  [
    'SERVICE_UNAVAILABLE',
    answered(500, { success: false, message: 'x', reason: 'SERVICE_UNAVAILABLE', retryable: false }),
    {},
  ],
  ['a 500 elsewhere', answered(500, { error: 'Internal server error' }), contacts],
  ['a 503', answered(503, { error: 'Service unavailable, try again later' }), contacts],
  ['the wrong shape on the call endpoint', answered(400, { error: 'Bad request' }), {}],
  [
    'the wrong shape elsewhere',
    answered(400, { message: 'x', reason: 'INVALID_REQUEST', retryable: false }),
    contacts,
  ],
  ['a reason that is not documented', answered(400, { message: 'x', reason: 'NEW', retryable: false }), {}],
  ['a status that is not documented', answered(418, { error: 'x' }), contacts],
  [
    'a field that is not documented',
    answered(200, { success: true, callRequestId: ID, contactId: ID, teamId: ID }),
    {},
  ],
  ['an empty refusal', answered(400, ''), contacts],
  ['another team’s text', answered(404, { error: FOREIGN_MARK }), calls],
  ['another team’s number', answered(404, { error: `${FOREIGN_NUMBERS}101` }), calls],
  ['an answer where there is no route', answered(200, { ok: true }), { target: '/nowhere' }],
  [
    'a success that the document forbids',
    answered(200, { success: true, callRequestId: ID, contactId: ID }),
    { body: { text: '{"fullName":"Ada"}', bytes: false, packing: 'plain' } },
  ],
])('%s is a fault', (_, outcome, over) => {
  expect(faultOf(outcome, over)).toEqual(expect.any(String));
});

test('the operator may read every team, by its address only', () => {
  const headers: [string, string][] = [['Authorization', 'Bearer <operatorToken>']];
  const own = { method: 'GET', target: '/api/admin/teams/<own.teamId>/calls', body: null, headers };
  const page = answered(400, { error: FOREIGN_MARK });
  expect(faultOf(page, own)).toContain('another team');
  expect(faultOf(page, { ...own, target: '/api/admin/teams/<foreign.teamId>/calls' })).toBeNull();
});

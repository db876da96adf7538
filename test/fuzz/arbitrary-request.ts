import fc from 'fast-check';
import { type JsonSchema } from '../../src/http/json-schema.js';
import { type OpenApiDocument } from '../../src/http/openapi/document.js';
import { Conformance, type KnownOperation } from '../openapi/conformance.js';
import { bodyOf, tameBody } from './arbitrary-body.js';
import { headersOf, tameHeaders } from './arbitrary-headers.js';
import { segment, tameTarget, targetOf } from './arbitrary-target.js';
import { resolve, type Values } from './arbitrary-value.js';
import { mostly, rarely, usually } from './choices.js';
import { FRAMINGS, type FuzzRequest } from './fuzz-request.js';

// The contract's endpoints take what strangers' systems send; the others are asked less often.
const CONTRACT = ['triggerCall', 'createContact', 'enrollContact', 'createContactAndEnroll'];

/** Requests for every route of the document, from tame to hostile, made from its parameters and schemas. */
export function arbitraryRequest(document: OpenApiDocument): fc.Arbitrary<FuzzRequest> {
  const { operations } = new Conformance(document);
  const schemas = document.components.schemas;
  return fc.oneof(
    ...operations.map((known) => ({
      weight: weightOf(known),
      arbitrary: requestFor(known, schemas),
    })),
    { weight: 3, arbitrary: strayRequest },
  );
}

/** What changes something is refused more often than what reads. */
function weightOf({ operation, method }: KnownOperation): number {
  if (CONTRACT.includes(operation.operationId)) return 8;
  return method === 'get' ? 1 : 2;
}

function requestFor(known: KnownOperation, schemas: Values['schemas']): fc.Arbitrary<FuzzRequest> {
  const { operation, method } = known;
  const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
  return fc.record({
    method: fc.oneof(
      { weight: 19, arbitrary: fc.constant(method.toUpperCase()) },
      { weight: 1, arbitrary: otherMethod },
    ),
    target: usually(tameTarget(known, schemas), targetOf(known, schemas)),
    headers: usually(tameHeaders(known), headersOf(known)),
    body: schema ? body(resolve(schema, schemas), schemas) : rarely(bodyOf({}, schemas)),
    framing: mostly('length', ...FRAMINGS),
    behind: mostly(
      '',
      'GET / HTTP/1.1\r\n\r\n',
      '\r\n\r\n',
      '\0\xff garbage',
      'POST /api/contacts HTTP/1.1\r\n',
    ),
  });
}

function body(schema: JsonSchema, schemas: Values['schemas']): fc.Arbitrary<FuzzRequest['body']> {
  const none = fc.constant(null);
  const wild = fc.oneof({ weight: 20, arbitrary: bodyOf(schema, schemas) }, { weight: 1, arbitrary: none });
  return usually(tameBody(schema, schemas), wild);
}

const otherMethod = fc.constantFrom(
  'HEAD',
  'OPTIONS',
  'PUT',
  'DELETE',
  'PATCH',
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'get',
  'BREW',
  'GET',
  'POST',
);

/** Addresses of nothing. */
const strayRequest: fc.Arbitrary<FuzzRequest> = fc.record({
  method: fc.oneof(fc.constantFrom('GET', 'POST'), otherMethod),
  target: fc.oneof(
    fc.constantFrom(
      '/',
      '*',
      '//',
      '/api',
      '/api/',
      '/api/../api/contacts',
      '/API/CONTACTS/',
      '/api/contacts//',
      '/%2e%2e/',
      '/api/calls',
      '/api/admin',
      '/api/admin/teams/',
      '/health',
      '/docs/',
      '/docs/../package.json',
      '/.env',
      'http://127.0.0.1/api/contacts',
      'http://evil.example/health/live',
      '/api/contacts;x=1',
      '/api/contacts%2f',
    ),
    fc.webPath().map((path) => path || '/'),
    segment(fc.constant('x')).map((piece) => `/${piece}`),
  ),
  headers: fc.constant([]),
  body: fc.constant(null),
  framing: fc.constant('length'),
  behind: fc.constant(''),
});
